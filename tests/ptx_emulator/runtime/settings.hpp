#pragma once
// Settings from environment variables, which the README lists.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace ptxemu {

inline std::string setting(const char* name, const std::string& default_value) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : default_value;
}
inline std::string setting(const char* name, const char* default_value) {
  return setting(name, std::string(default_value));
}
inline std::uint64_t setting(const char* name, std::uint64_t default_value) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::strtoull(value, nullptr, 0) : default_value;
}

/// The parts of a text that are separated by commas, at least one.
inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}
inline std::vector<std::string> list_setting(const char* name, const std::string& default_value) {
  return split(setting(name, default_value));
}

}  // namespace ptxemu
