#pragma once
// Locations in the user's input, and errors that show them.

#include <memory>
#include <string>
#include <string_view>

#include "gsim/core/error.hpp"

namespace gsim {

/// The location of a value in the user's input; printed as "file:line:column".
struct SourceLocation {
  std::string file;
  int line = 0;  ///< 0: not from a file (a default, or --set)
  int column = 0;
  std::string text;  ///< the line itself, for the caret
  int length = 1;    ///< characters that carets mark
};

/// A location for the middle of a sentence: "file:line", or "--set KEY=VALUE". Empty without a
/// file.
std::string to_string(const SourceLocation& where);

/// An error in the configuration; what() is the whole message with excerpt and suggestion.
class ConfigError : public InputError {
 public:
  ConfigError(const SourceLocation& where, const std::string& problem,
              const std::string& suggestion = {});
  /// A message that is complete already.
  explicit ConfigError(const std::string& message) : InputError(message), message_(message) {}

  /// Adds a line to the message, for example the context of the error ("in trade `SPX-C`").
  void add_line(const std::string& line) { message_ += "\n  " + line; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Returns body(). An InputError without a location that it throws becomes a ConfigError at
/// `where`.
template <class Body>
auto locate_errors(const SourceLocation& where, const Body& body) {
  try {
    return body();
  } catch (const ConfigError&) {
    throw;
  } catch (const InputError& error) {
    throw ConfigError(where, error.what());
  }
}

namespace config_detail {
struct Node;
struct TableKeys;
}  // namespace config_detail

/// The keys of one table of the input and their locations, for checks after the table was read.
/// Section::locations() returns it, and a module stores it beside the values. Copies are cheap
/// (they share their data) and stay valid after the ConfigFile is destroyed.
class KeyLocations {
 public:
  KeyLocations() = default;  ///< of a table without keys and without a location
  explicit KeyLocations(const config_detail::Node& table);
  /// Whether the input has this key, directly in the table.
  bool has(std::string_view key) const;
  /// The location of the key's value, or of the table where the key is absent or empty.
  SourceLocation location(std::string_view key = {}) const;
  /// Dotted path of the table ("market.assets.SPX").
  std::string path() const;
  /// Throws a ConfigError at the key.
  [[noreturn]] void fail(std::string_view key, const std::string& problem,
                         const std::string& suggestion = {}) const;

 private:
  std::shared_ptr<const config_detail::TableKeys> keys_;
};

}  // namespace gsim
