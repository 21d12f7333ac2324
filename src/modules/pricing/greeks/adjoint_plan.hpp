#pragma once
// Which Greeks are adjoint, and the coefficients from which they follow.

#include <vector>

#include "src/modules/pricing/greeks/greek_simulations.hpp"

namespace gsim::pricing {

/// Replaces pathwise Greeks (GreekForm::pathwise) by adjoint ones where all assets of the trade
/// have paths that can be derived in the bumped market (BumpedAsset), and the trade and its control
/// variate have formulas with gradients (kernels/pricing/greeks/adjoint) and are observed at
/// fixings, or a sweep can derive the trade's early exercise (has_swept_exercise()). For lognormal
/// assets it is enough that derived paths have the
/// distribution of those in the bumped market (conditional_change()). The trades are removed from
/// the stencils of the plan and from the bumped simulations, and stencils without trades from the
/// latter. The coefficients are difference quotients of the bumped simulations, which are exact up
/// to the size of the bump, 2^-20.
void use_adjoints(const PricingConfig& config, GreekPlan& plan,
                  std::vector<GreekSimulations>& simulations);

}  // namespace gsim::pricing
