#pragma once
// Markets with volatility surfaces, for tests.

#include <string>

namespace gsim::pricing::test {

/// A surface SPX by strikes on an asset A with rates and dividends, without a model.
inline const std::string index_surface = R"(
[market]
rate = { times = [0.5, 2.0], values = [0.03, 0.04] }
[market.volatility_surfaces.SPX]
expiries = [0.25, 0.5, 1.0]
strikes = [70.0, 80.0, 90.0, 100.0, 110.0, 120.0]
volatilities = [[0.335, 0.280, 0.232, 0.192, 0.166, 0.156],
                [0.308, 0.266, 0.228, 0.197, 0.174, 0.160],
                [0.288, 0.257, 0.229, 0.205, 0.186, 0.172]]
[market.assets.A]
spot = 100.0
dividend = 0.015
volatility = "SPX"
)";

inline const std::string local = "model = \"local_volatility\"\n";

/// SSVI with a skew (Gatheral and Jacquier 2014), no rates, on an asset A with local volatility.
inline const std::string ssvi_surface = R"(
[market]
rate = 0.0
[market.volatility_surfaces.SSVI.ssvi]
expiries = [0.25, 1.0]
volatilities = [0.20, 0.22]
rho = -0.6
eta = 0.5
gamma = 0.5
[market.assets.A]
spot = 100.0
volatility = "SSVI"
model = "local_volatility"
)";

inline const std::string one_trade = R"(
[[trades]]
id = "T"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 0.75
)";

}  // namespace gsim::pricing::test
