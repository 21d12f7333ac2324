#pragma once
// Conversions of nodes to C++ values, with checks of type, range and size. Errors are ConfigErrors
// at the place of the node.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/input/node.hpp"
#include "src/config/schema/schema.hpp"

namespace gsim::config_detail {

void convert(const Node& node, const KeyInfo& info, double& value);
void convert(const Node& node, const KeyInfo& info, Index& value);
void convert(const Node& node, const KeyInfo& info, bool& value);
void convert(const Node& node, const KeyInfo& info, std::string& value);
void convert(const Node& node, const KeyInfo& info, std::vector<double>& value);
void convert(const Node& node, const KeyInfo& info, std::vector<Index>& value);
void convert(const Node& node, const KeyInfo& info, std::vector<std::string>& value);
void convert(const Node& node, const KeyInfo& info, std::vector<std::vector<double>>& value);
/// Converts a number of seconds, or a text such as "1 h 30 min", to seconds.
void convert_duration(const Node& node, const KeyInfo& info, double& seconds);
/// Sets `position` to the index in `words` of the node's text.
void convert_word(const Node& node, std::span<const std::string_view> words, int& position);
/// "\"a\", \"b\" or \"c\"".
std::string word_list(std::span<const std::string_view> words);
/// A copy of `info` to whose doc a list of `words`, the valid values of the key, is appended.
KeyInfo with_words(const KeyInfo& info, std::span<const std::string_view> words);

/// Whether convert() would accept the value. A default that it would not accept means "absent":
/// neither the schema nor the resolved configuration in the results contains it.
bool acceptable(double value, const KeyInfo& info);
bool acceptable(Index value, const KeyInfo& info);
inline bool acceptable(bool, const KeyInfo&) { return true; }
inline bool acceptable(const std::string&, const KeyInfo&) { return true; }
template <class T>
bool acceptable(const std::vector<T>& list, const KeyInfo& info) {
  const auto size = static_cast<Index>(list.size());
  if (size < info.min_size || size > info.max_size) return false;
  for (const T& value : list)
    if (!acceptable(value, info)) return false;
  return true;
}

inline Type type_of(const double&) { return Type::real; }
inline Type type_of(const Index&) { return Type::integer; }
inline Type type_of(const bool&) { return Type::boolean; }
inline Type type_of(const std::string&) { return Type::text; }
inline Type type_of(const std::vector<double>&) { return Type::reals; }
inline Type type_of(const std::vector<Index>&) { return Type::integers; }
inline Type type_of(const std::vector<std::string>&) { return Type::texts; }
inline Type type_of(const std::vector<std::vector<double>>&) { return Type::matrix; }

/// Throws a ConfigError at the node's value.
[[noreturn]] void fail_at(const Node& node, const std::string& problem,
                          const std::string& suggestion = {});
/// "`spot` must be WHAT, not …", at the node.
[[noreturn]] void fail_kind(const Node& node, std::string_view what,
                            const std::string& suggestion = {});

}  // namespace gsim::config_detail
