#pragma once
// A portfolio with every product and every model, for tests of bitwise identical results.

#include <string>

namespace gsim::pricing::test {

inline const std::string mixed_market = R"(
[market]
rate = { times = [0.25, 1.0], values = [0.03, 0.04] }
[market.assets.BS]
spot = 100.0
dividend = 0.01
volatility = { times = [0.3, 1.0], values = [0.25, 0.22] }
[market.assets.BS2]
spot = 95.0
volatility = 0.3
[market.assets.JUMPS]
spot = 100.0
model = "merton"
volatility = 0.2
jump_intensity = 1.5
jump_mean = -0.1
jump_sd = 0.15
[market.assets.HESTON]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 1.5
theta = 0.05
sigma = 0.6
rho = -0.7
[market.assets.BATES]
spot = 100.0
model = "bates"
v0 = 0.04
kappa = 1.5
theta = 0.05
sigma = 0.6
rho = -0.5
jump_intensity = 0.5
jump_mean = -0.1
jump_sd = 0.1
[market.assets.LOCAL]
spot = 100.0
model = "local_volatility"
local_times = [0.25, 1.0]
local_spots = [60.0, 80.0, 100.0, 120.0]
local_volatility = [[0.4, 0.3, 0.2, 0.18], [0.35, 0.28, 0.21, 0.19]]
[market.correlation]
assets = ["BS", "BS2", "HESTON"]
matrix = [[1.0, 0.6, 0.4], [0.6, 1.0, 0.3], [0.4, 0.3, 1.0]]
)";

inline const std::string mixed_trades_csv =
    "id,product,asset,assets,weights,type,strike,maturity,quantity,moneyness,start,fixing_count,"
    "local_cap,past_fixings,average,average_of,kind,barrier,monitoring,rebate,rebate_paid,pays\n"
    "e1,european,BS,,,call,100,1,,,,,,,,,,,,,,\n"
    "e2,european,JUMPS,,,put,90,0.5,-2,,,,,,,,,,,,,\n"
    "e3,european,HESTON,,,call,105,1,,,,,,,,,,,,,,\n"
    "e4,european,BATES,,,put,95,0.5,,,,,,,,,,,,,,\n"
    "e5,european,LOCAL,,,put,80,1,,,,,,,,,,,,,,\n"
    "d1,digital,BS,,,call,100,1,,,,,,,,,,,,,,\n"
    "d2,digital,HESTON,,,put,100,1,,,,,,,,,,,,,,asset\n"
    "f1,forward_start,BS,,,call,,1,,1.1,0.25,,,,,,,,,,,\n"
    "c1,cliquet,BS,,,call,,1,100,,,4,0.05,,,,,,,,,\n"
    "a1,asian,BS,,,call,100,1,,,,12,,,,,,,,,,\n"
    "a2,asian,BS,,,put,100,1,,,,12,,90 95,geometric,,,,,,,\n"
    "a3,asian,JUMPS,,,call,,1,,,,4,,,,strike,,,,,,\n"
    "b1,barrier,BS,,,call,100,1,,,,,,,,,down_and_out,85,continuous,2,at_hit,\n"
    "b2,barrier,HESTON,,,put,100,0.5,,,,6,,,,,up_and_in,110,discrete,1,,\n"
    "b3,barrier,LOCAL,,,put,100,1,,,,,,,,,down_and_in,80,,,,\n"
    "l1,lookback,BS,,,put,,1,,,,,,,,,floating,,,,,\n"
    "l2,lookback,BATES,,,call,100,0.5,,,,6,,,,,fixed,,discrete,,,\n"
    "k1,basket,,BS BS2,0.5 0.5,call,95,1,,,,,,,,,,,,,,\n"
    "k2,basket,,BS HESTON,,put,100,0.5,,,,,,,geometric,,,,,,,\n"
    "m1,best_of,,BS BS2 HESTON,,call,100,1,,,,,,,,,,,,,,\n"
    "m2,worst_of,,BS BS2,,put,90,0.5,,,,,,,,,,,,,,\n"
    "s1,spread,,BS BS2,,call,5,1,,,,,,,,,,,,,,\n"
    "x1,exchange,,BS2 BS,,,,1,,,,,,,,,,,,,,\n"
    "v1,variance_swap,HESTON,,,,0.04,1,100,,,12,,,,,,,,,,\n";

}  // namespace gsim::pricing::test
