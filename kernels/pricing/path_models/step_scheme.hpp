#pragma once
// The schemes by which pricing's own loops simulate the log-spot of an asset over a time step.
// Set-up code and kernels share them.

#include <cstdint>

#include "kernels/pricing/path_models/names.hpp"  // written by the build

namespace gsim::pricing {

/// The scheme of a path model between jumps: one for each specialisation
/// SchemeOf<StepScheme::NAME> in the headers of this folder (scheme_of.hpp), in alphabetical order.
/// Several models may use one scheme: Merton's model is black_scholes with jumps, Bates' is heston
/// with jumps.
enum class StepScheme : std::int32_t {
#define GSIM_ENUMERATOR(name) name,
  GSIM_STEP_SCHEMES(GSIM_ENUMERATOR)
#undef GSIM_ENUMERATOR
      launched  ///< simulated by the launchers of the asset's PathModelKind
};

}  // namespace gsim::pricing
