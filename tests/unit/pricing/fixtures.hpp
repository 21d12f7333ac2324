#pragma once
// Reading pricing configurations in tests.

#include <string>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing::test {

/// Two Black-Scholes assets A and B with correlation 0.5.
inline const std::string two_assets = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.assets.B]
spot = 90.0
dividend = 0.02
volatility = 0.3
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
)";

inline PricingConfig read(const std::string& text) {
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  PricingConfig config;
  file.read([&](Section& top) { describe_pricing(top, config, ""); });
  return config;
}

/// The message that reading `text` ends with; empty when it does not fail.
inline std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gsim::pricing::test
