#include "toml_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/toml_string.hpp"

namespace gsim::config_detail {

std::string toml_value(bool value) { return value ? "true" : "false"; }

std::string toml_value(Index value) { return std::to_string(value); }

std::string toml_value(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_value(const std::string& value) { return toml_string(value); }

std::string toml_key(std::string_view key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  if (!key.empty() && std::all_of(key.begin(), key.end(), is_bare)) return std::string(key);
  return toml_string(key);
}

std::string plain_number(double value) { return fmt::format("{}", value); }

}  // namespace gsim::config_detail
