#pragma once
// Purposes (random/purposes.hpp) for plugins, which are developed independently of each other.

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "gsim/random/purposes.hpp"

namespace gsim {

/// The purpose number for use number `use` (0 to 15) of the plugin named `plugin`: one of 2^15
/// numbers from Purpose::first_plugin_purpose. Two plugins have a common number with probability
/// 1/2048, and then common random numbers only if they use them for the same entities and steps in
/// one run. std::out_of_range (a compilation error in constant expressions) for another `use`.
constexpr Purpose plugin_purpose(std::string_view plugin, std::uint32_t use) {
  if (use > 15) throw std::out_of_range("a plugin has 16 purposes");
  std::uint32_t hash = 2166136261u;  // FNV-1a (Fowler, Noll and Vo)
  for (const char c : plugin) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  const std::uint32_t family = (hash ^ (hash >> 16)) & 0x7ffu;
  return static_cast<Purpose>(static_cast<std::uint32_t>(Purpose::first_plugin_purpose) +
                              family * 16 + use);
}

}  // namespace gsim
