#pragma once
// An asset of [market.assets] while it is read.

#include <string>
#include <vector>

#include "gsim/pricing/key_values.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Values by time, as in the input.
struct Curve {
  std::vector<double> times, values;
  int kind = 0;  ///< index into the allowed words of `kind`
};

/// The value of a key that is a number, a table with a curve or, for rates, the name of a curve.
struct FlatOrCurve {
  double flat = 0;
  Curve curve;
  bool is_curve = false;
  std::string name = {};
};

/// Besides the fields of AssetConfig it holds the values of keys that only validation uses.
struct AssetInput : AssetConfig {
  FlatOrCurve dividend_yield;
  /// black_scholes, merton; the name of a surface of black_scholes and local_volatility
  FlatOrCurve volatility;
  std::string local_file;          ///< local_volatility
  std::string calibrate_to;        ///< heston
  KeyValues key_values;            ///< values of the keys of PathModelKind::describe()
  MarketConfig* market = nullptr;  ///< what was read before the assets
};

}  // namespace gsim::pricing
