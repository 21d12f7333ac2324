#pragma once
// Settings from the environment. The README lists them.

#include <cstdint>
#include <cstdlib>
#include <string>

namespace ptxemu {

inline std::string setting(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}
inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::strtoull(value, nullptr, 0) : otherwise;
}

}  // namespace ptxemu
