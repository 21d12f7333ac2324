#pragma once
// Reverse sweeps over scripted payoffs (kernels/pricing/greeks/adjoint/script_job.hpp).

#include <vector>

#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// The derivatives that a trade has by its script. Early exercise has none.
enum class ScriptDerivatives {
  none,      ///< it is not of the product `scripted`, or a comparison has no ramp
  smoothed,  ///< those of the script with ramps in the place of comparisons
  own        ///< no comparison depends on the spots, so that payments are Lipschitz continuous
};
ScriptDerivatives script_derivatives(const TradeConfig& trade);

/// Whether derivatives of a trade are those of its program, which is not too long for that.
bool has_script_sweep(const TradeSetup& trade);

/// Whether the programs of a trade in two markets differ in no more than the values of payments and
/// the states before the first fixing, by little.
bool has_same_program(const TradeSetup& base, const TradeSetup& bumped);

/// The first numbers of AdjointEntry::number, of a trade the numbers of whose program change to
/// those of `bumped`; append_program() adds the others. Adds the terms of these changes to those of
/// each bumped market, and the number of sums to `sums`.
std::vector<double> add_changes_of_program(const TradeSetup& base,
                                           const std::vector<const TradeSetup*>& bumped, int& sums,
                                           Terms& terms);

void append_program(const TradeSetup& trade, const std::vector<double>& ramps,
                    std::vector<double>& numbers);

/// The size of the program of a trade with this AdjointEntry::number.
ScriptSize script_size(const TradeSetup& trade, const std::vector<double>& numbers);

}  // namespace gsim::pricing
