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

}  // namespace gsim
