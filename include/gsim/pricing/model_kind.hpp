#pragma once
// The path models whose steps are compiled into pricing's own loops, in the numbering that set-up
// code and kernels share.

#include <cstdint>

namespace gsim::pricing {

enum class ModelKind : std::int32_t {
  black_scholes,
  local_volatility,
  merton,
  heston,
  bates,
  launched  ///< simulated by the launchers of the asset's PathModelKind
};

}  // namespace gsim::pricing
