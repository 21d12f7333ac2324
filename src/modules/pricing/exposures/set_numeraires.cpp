#include "src/modules/pricing/exposures/set_numeraires.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/market/short_rate_correlation.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {
namespace {

/// What the trades of a netting set depend on.
struct SetAssets {
  std::map<Index, Index> rate_of_currency;
  std::set<Index> assets;  ///< all of them, with those that exchange rates are
  /// [rate] exchange rates by which trades on it are converted
  std::map<Index, std::set<Index>> exchange;
};

class SetChecks {
 public:
  SetChecks(const Section& section, PricingConfig& config, const NettingSet& set)
      : section_(section), market_(config.market), set_(set) {}

  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion) const {
    section_.fail("netting_sets", fmt::format("netting set `{}`: {}", excerpt(set_.name), problem),
                  suggestion);
  }

  void add(const TradeConfig& trade, const BaseMeasure& measure) {
    const Index first = trade.assets.front();
    found_.assets.insert(trade.assets.begin(), trade.assets.end());
    for (const CurrencyLeg& leg : measure.legs) found_.assets.insert(leg.pair);
    if (!asset(first).is_rate()) {
      if (longest_lag(trade) != 0) lagged_ = trade.id;
      return;
    }
    for (const CurrencyLeg& leg : measure.legs) found_.exchange[first].insert(leg.pair);
    const auto [at, is_new] = found_.rate_of_currency.try_emplace(trade.currency, first);
    if (at->second != first)
      fail(fmt::format("trades on two rates of one currency, `{}` and `{}`",
                       excerpt(asset(at->second).name), excerpt(asset(first).name)),
           "let the trades of a currency use one rate, or give them netting sets of their own");
  }

  Index numeraire() const {
    const auto at = found_.rate_of_currency.find(base_currency);
    return at == found_.rate_of_currency.end() ? -1 : at->second;
  }

  void check() const {
    for (const auto& [currency, rate] : found_.rate_of_currency) {
      warn_of_unknown(rate);
      refuse_random_volatility(rate, rate == numeraire());
    }
    if (numeraire() < 0) return;
    if (!lagged_.empty())
      fail(fmt::format("trade `{}` has a payment lag, and other trades are on the rate `{}`",
                       excerpt(lagged_), excerpt(asset(numeraire()).name)),
           "leave payment_lag out, or give the trade a netting set of its own");
    if (set_.wrong_way.asset >= 0 && correlation(numeraire(), set_.wrong_way.asset) != 0)
      fail(fmt::format("the asset `{}` of its wrong-way risk is correlated with the rate `{}`",
                       excerpt(asset(set_.wrong_way.asset).name), excerpt(asset(numeraire()).name)),
           "let their correlation be 0");
  }

 private:
  const AssetConfig& asset(Index i) const { return market_.assets[static_cast<std::size_t>(i)]; }

  double correlation(Index first, Index second, bool* known = nullptr) const {
    bool is_known = first == second;
    const double value = is_known ? 1 : configured_correlation(market_, first, second, &is_known);
    if (known != nullptr) *known = is_known;
    return is_known ? value : 0;
  }

  /// Refuses assets whose covariance with `rate`, which changes drifts, is not known. That of an
  /// asset with a variance of its own, given its path, is simulated with it: with the numeraire,
  /// and of one exchange rate with a rate of one factor (random_covariance.hpp).
  void refuse_random_volatility(Index rate, bool is_numeraire) const {
    const MarketView view{&market_, nullptr};
    bool may_drift = !asset(rate).short_rate->second;  // by one more exchange rate
    for (const Index i : is_numeraire ? found_.assets : found_.exchange.at(rate)) {
      if (asset(i).is_rate() || view.is_lognormal(i) || correlation(rate, i) == 0) continue;
      if (functions_of(asset(i)).has_own_variance && (is_numeraire || may_drift)) {
        may_drift = false;
        continue;
      }
      fail(fmt::format("the correlation of `{}` with the rate `{}` is {:g}, and its volatility is "
                       "random: the drift of the {} that follows would depend on the past of the "
                       "volatility, which is not simulated with {}",
                       excerpt(asset(i).name), excerpt(asset(rate).name), correlation(rate, i),
                       is_numeraire ? "paths" : "rate", is_numeraire ? "them" : "it"),
           is_numeraire
               ? "let the correlation be 0, or use the model black_scholes, heston or bates"
               : "let the correlation be 0, or use the model black_scholes, or heston or bates for "
                 "one exchange rate and a rate with one factor");
    }
  }

  void warn_of_unknown(Index rate) const {
    std::string names;
    for (const Index i : found_.assets) {
      bool known = asset(i).first_factor >= 0;  // the second factor of a rate that is in the list
      if (!known) correlation(rate, i, &known);
      if (!known) names += (names.empty() ? "" : ", ") + excerpt(asset(i).name);
    }
    if (!names.empty())
      market_.warnings.push_back(
          fmt::format("netting set `{}`: correlations of the rate `{}` that are not in "
                      "[market.correlation] are taken to be 0: {}",
                      excerpt(set_.name), excerpt(asset(rate).name), names));
  }

  const Section& section_;
  MarketConfig& market_;
  const NettingSet& set_;
  SetAssets found_;
  std::string lagged_;  ///< a trade on assets with a payment lag, or empty
};

}  // namespace

void set_numeraires(const Section& section, PricingConfig& config, ExposureOptions& options) {
  std::vector<SetChecks> sets;
  for (const NettingSet& set : options.sets) sets.emplace_back(section, config, set);
  for (std::size_t t = 0; t < config.trades.size(); ++t)
    sets[static_cast<std::size_t>(options.set_of_trade[t])].add(config.trades[t],
                                                                options.base_measures[t]);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sets[i].check();
    options.sets[i].numeraire = sets[i].numeraire();
  }
  for (std::size_t t = 0; t < config.trades.size(); ++t) {
    const TradeConfig& trade = config.trades[t];
    const Index first = trade.assets.front();
    BaseMeasure& measure = options.base_measures[t];
    if (config.market.assets[static_cast<std::size_t>(first)].is_rate())
      measure.own_numeraire = first;
    measure.numeraire = options.sets[static_cast<std::size_t>(options.set_of_trade[t])].numeraire;
  }
}

}  // namespace gsim::pricing
