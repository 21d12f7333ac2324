#pragma once
// The embedding functions of the embedded-atom method, for kernels and hosts. Data only.

#include <cstdint>

#include "gsim/core/types.hpp"

namespace gsim::md {

/// A function at x = 0 … step * intervals: cubic polynomials {c3, c2, c1, c0} of the position t = 0
/// … 1 within an interval, one after the other.
struct CubicCurve {
  const double* cubics;
  Index intervals;
  double step;
};

struct EamEmbedding {
  const CubicCurve* curves;  ///< one for each type
  std::int32_t types;        ///< 1: the types of atoms are not read
  double density_quantum;
  double slope_scale;  ///< -1, converted to force quanta per density quantum times table rows per
                       ///< length
  double energy_quantum;
};

}  // namespace gsim::md
