#pragma once
// What a system's charges come to, the same bits however they are spread over ranks.

#include <span>

#include "gsim/comm/communicator.hpp"

namespace gsim::md {

struct ChargeSums {
  Index atoms = 0;
  double total = 0, absolute = 0, squares = 0;  ///< sums of q, |q| and q^2
  double largest = 0;                           ///< the largest |q|

  /// Whether the charges cancel, up to rounding.
  bool is_neutral() const { return total <= 1e-9 * absolute && total >= -1e-9 * absolute; }
};

/// Of all ranks' charges together. Collective. InputError for one that is not finite.
ChargeSums sum_charges(const Communicator& communicator, std::span<const double> mine);

}  // namespace gsim::md
