#pragma once
// Values written as TOML; every double reads back to the same bits.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::config_detail {

std::string toml_value(bool value);
std::string toml_value(Index value);
/// The shortest decimal that reads back to `value`; always with a point or an exponent.
std::string toml_value(double value);
std::string toml_value(const std::string& value);
template <class T>
std::string toml_value(const std::vector<T>& list) {
  std::string out = "[";
  for (const T& value : list) out += (out.size() > 1 ? ", " : "") + toml_value(value);
  return out + "]";
}

/// A key in TOML: bare where possible, quoted otherwise.
std::string toml_key(std::string_view key);

/// A number as messages show it, without the ".0" that TOML requires: "3", "0.25", "1e-12".
std::string plain_number(double value);

}  // namespace gsim::config_detail
