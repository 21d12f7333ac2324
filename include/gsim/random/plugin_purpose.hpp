#pragma once
// Purposes (random/purposes.hpp) for plugins, whose authors do not know of each other.

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "gsim/random/purposes.hpp"

namespace gsim {

/// The purpose number `use` (0 to 15) of the plugin that is called `plugin`: one of 2^15 that begin
/// at Purpose::first_plugin_purpose. Two plugins share theirs with a chance of 1 in 2048, and their
/// random numbers only if they also use them for the same entities and steps in one run.
/// std::out_of_range (of a constant: no compilation) for another `use`.
constexpr Purpose plugin_purpose(std::string_view plugin, std::uint32_t use) {
  if (use > 15) throw std::out_of_range("a plugin has 16 purposes");
  std::uint32_t hash = 2166136261u;  // FNV-1a (Fowler, Noll and Vo)
  for (const char c : plugin) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  const std::uint32_t family = (hash ^ (hash >> 16)) & 0x7ffu;
  return static_cast<Purpose>(static_cast<std::uint32_t>(Purpose::first_plugin_purpose) +
                              family * 16 + use);
}

}  // namespace gsim
