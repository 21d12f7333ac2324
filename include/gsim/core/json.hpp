#pragma once
// JSON (RFC 8259) that gsim prints for programs. Written by nlohmann's library, which no public
// header includes.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gsim {

/// One JSON value: Json::object().set("done", 3).text() is {"done":3}. The members of an object
/// stay in the order in which they were set.
class Json {
 public:
  Json();                    ///< null
  Json(bool value);          // NOLINT(google-explicit-constructor): implicit on purpose
  Json(int value);           // NOLINT(google-explicit-constructor)
  Json(std::int64_t value);  // NOLINT(google-explicit-constructor)
  /// The shortest text that reads as the same number; null where it is not finite.
  Json(double value);            // NOLINT(google-explicit-constructor)
  Json(std::string_view value);  // NOLINT(google-explicit-constructor)
  Json(const std::string& value) : Json(std::string_view(value)) {}  // NOLINT
  Json(const char* value) : Json(std::string_view(value)) {}         // NOLINT
  static Json object();
  static Json array();
  /// The object {"event": name}, one line of a log for programs.
  static Json event(std::string_view name);
  ~Json();
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;

  /// Adds or replaces a member of an object; returns the object.
  Json& set(std::string_view key, const Json& value);
  /// Appends to an array; returns the array.
  Json& push(const Json& value);
  /// On one line, or with `indent` spaces per level. Bytes that are not UTF-8 become U+FFFD.
  std::string text(int indent = -1) const;

 private:
  struct Value;
  std::unique_ptr<Value> value_;
};

}  // namespace gsim
