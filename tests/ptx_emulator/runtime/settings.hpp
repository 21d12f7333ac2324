#pragma once
// Settings from environment variables, which the README lists.

#include <cstdint>
#include <cstdlib>
#include <string>

namespace ptxemu {

inline std::string setting(const char* name, const std::string& default_value) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : default_value;
}
inline std::uint64_t setting(const char* name, std::uint64_t default_value) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::strtoull(value, nullptr, 0) : default_value;
}

}  // namespace ptxemu
