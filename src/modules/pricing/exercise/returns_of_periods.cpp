#include "src/modules/pricing/exercise/returns_of_periods.hpp"

#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {

bool is_of_periods(const TradeSetup& setup) {
  return setup.payoff == PayoffFormula::cliquet || setup.payoff == PayoffFormula::variance_swap;
}

bool has_free_scale(const MarketView& view, Index asset) {
  return view.asset(asset).drops.empty() &&
         (view.is_lognormal(asset) || functions_of(view.asset(asset)).has_own_variance);
}

}  // namespace gsim::pricing
