#pragma once
// Sums over the charges of a system, with the same bits for any distribution over ranks.

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

/// The sums over the charges of all ranks; `charges`: those of this rank. Collective. InputError
/// for a charge that is not finite.
ChargeSums sum_charges(const Communicator& communicator, std::span<const double> charges);

}  // namespace gsim::md
