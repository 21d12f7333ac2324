#pragma once
// Plural forms of nouns in messages.

#include <string>
#include <string_view>

namespace gsim {

/// The plural of a regular English noun: "steps", "batches".
inline std::string plural(std::string_view noun) {
  const bool hisses =
      noun.ends_with("ch") || noun.ends_with("sh") || noun.ends_with('s') || noun.ends_with('x');
  return std::string(noun) + (hisses ? "es" : "s");
}

/// "1 step", "2 steps".
inline std::string count_of(long long n, std::string_view noun) {
  return std::to_string(n) + " " + (n == 1 ? std::string(noun) : plural(noun));
}

}  // namespace gsim
