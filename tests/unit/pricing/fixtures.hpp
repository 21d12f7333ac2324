#pragma once
// Configurations for tests of the pricing module.

#include <string>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
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

/// One Black-Scholes asset A.
inline const std::string one_asset = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = 0.2
)";

/// One Heston asset H with the parameters of Lewis (reference::heston_lewis).
inline const std::string lewis_market = R"(
[market]
rate = 0.01
[market.assets.H]
spot = 100.0
dividend = 0.02
model = "heston"
v0 = 0.04
kappa = 4.0
theta = 0.25
sigma = 1.0
rho = -0.5
)";

inline PricingConfig read(const std::string& text) {
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  PricingConfig config;
  file.read([&](Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
  });
  return config;
}

/// The error message from reading `text`; empty if there is no error.
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
