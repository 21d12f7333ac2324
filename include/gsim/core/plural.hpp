#pragma once
// Nouns of messages.

#include <string>
#include <string_view>

namespace gsim {

/// Several of what a regular English noun names: "steps", "batches".
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
