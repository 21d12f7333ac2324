#pragma once
// Which Greeks a run estimates, and the bumped markets from which each follows.
//
// A Greek is the mean of a difference quotient of a trade's sample: sum_p c_p (X_p - X), where X_p
// is the sample, of the same number and hence with the same random numbers, in bumped market p and
// X that in the market itself (common random numbers: Glasserman, "Monte Carlo Methods in Financial
// Engineering", 2004, section 7.1). Three forms are used:
//   bump      central differences, (X(+h) - X(-h)) / 2h, or (X(+h) - 2 X + X(-h)) / h^2 for gamma,
//             with the sizes h of [pricing.bumps]. The bias is of order h^2. The variance is of
//             order 1 for payoffs without jumps, 1/h for payoffs with jumps and for gamma
//             (Glasserman 2004, eq. 7.8 to 7.10).
//   pathwise  the derivative of the sample itself (Glasserman 2004, section 7.2), as its one-sided
//             difference quotient with h = 2^-20: for payoffs that are Lipschitz continuous in the
//             spots, on paths that are Lipschitz continuous in the quantity. It is unbiased up to
//             order h, and has no further variance.
//   adjoint   the same derivative by a reverse sweep over the path in the market itself, which
//   gives
//             all of a trade's Greeks at once (adjoint_plan.hpp). The plan does not choose it:
//             use_adjoints() replaces pathwise Greeks.
//   smoothed    the same quotient, or a central second difference for gamma, of a conditional
//             expectation of the payoff, on paths of its own (smoothing.hpp): for digitals and
//             continuous barriers under black_scholes. use_adjoints() replaces the quotient by a
//             sweep, and that of discrete barriers, windows, Parisian options and phoenix notes,
//             which are planned as pathwise (smoothed_sweeps.hpp, note_sweeps.hpp); or the
//             derivative of a script with ramps in the place of comparisons, by the sweep of
//             script_sweeps.hpp, planned as pathwise, too.
//   likelihood_ratio  the payoff times the derivative of the logarithm of the density of the path
//             (likelihood_ratio.hpp): for digitals and discrete barriers under black_scholes, if it
//             is requested.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/pricing/greeks/greeks_job.hpp"
#include "src/modules/pricing/greeks/market_bump.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// How a Greek is estimated.
enum class GreekForm { bump, pathwise, smoothed, adjoint, likelihood_ratio };

/// The name of a form, as above.
std::string_view name_of(GreekForm form);

/// One Greek of one trade.
struct GreekInfo {
  Index trade = 0;
  GreekKind kind = GreekKind::delta;
  Index asset = -1, second_asset = -1;  ///< of the market; -1: none
  std::string bucket = {};              ///< pillar, or empty
  GreekForm form = GreekForm::bump;
  /// Whether the Greek can be `pathwise` by a sweep alone (SweptPayoff::crossings, phoenix, a
  /// script with ramps, or early exercise, where samples jump with the date of exercise), and
  /// whether it is by one (use_adjoints()): its statistics are then those of batches.
  bool needs_sweep = false, is_swept = false;
};

/// A Greek's coefficients at the points of its stencil.
struct PlannedRow {
  Index greek = 0;  ///< index in GreekPlan::greeks
  std::array<double, max_greek_points> coefficient = {};
};
/// The Greeks of one trade that a stencil gives.
struct PlannedEntry {
  Index trade = 0;
  std::vector<PlannedRow> rows;
};
/// The payoffs that a stencil evaluates: those of the trades, or those that replace them.
enum class StencilPayoffs { own, smoothed, weighted };

/// Bumped markets, each by its bumps, and the trades that are evaluated in all of them, ascending.
struct PlannedStencil {
  StencilPayoffs payoffs = StencilPayoffs::own;
  bool is_second_order = false;  ///< weighted: by the second derivative of the density
  std::vector<std::vector<MarketBump>> points;
  std::vector<PlannedEntry> entries;
};

struct GreekPlan {
  std::vector<GreekInfo> greeks;  ///< by trade, kind, asset and bucket
  std::vector<PlannedStencil> stencils;
  double ramp_width = 0;  ///< of comparisons in scripts, relative to the spots (ramps_of())
};

/// By trade the kinds of Greeks, bit 1 << kind of each, that no sweep can derive.
using KindsWithoutSweep = std::vector<unsigned>;

/// The Greeks that [pricing] requests for all trades of the configuration. An asset with the model
/// of a plugin has no vega, because its volatility cannot be bumped (has_volatility()). Those in
/// `without_sweep` are planned as ones that need no sweep (GreekInfo::needs_sweep).
GreekPlan plan_greeks(const PricingConfig& config, const PricingSetup& setup,
                      const KindsWithoutSweep& without_sweep = {});

}  // namespace gsim::pricing
