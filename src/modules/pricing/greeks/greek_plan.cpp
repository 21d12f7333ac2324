#include "src/modules/pricing/greeks/greek_plan.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "src/modules/pricing/greeks/exercised_adjoints.hpp"
#include "src/modules/pricing/greeks/likelihood_ratio.hpp"
#include "src/modules/pricing/greeks/note_sweeps.hpp"
#include "src/modules/pricing/greeks/script_sweeps.hpp"
#include "src/modules/pricing/greeks/smoothed_sweeps.hpp"
#include "src/modules/pricing/greeks/smoothing.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

using Quantity = MarketBump::Quantity;

/// The size of pathwise difference quotients, relative for spots.
constexpr double pathwise_size = 0x1p-20;

/// Of a stencil with bumps of every pillar, in the place of one (MarketBump::bucket).
constexpr int all_buckets = -2;

const AssetConfig& asset_of(const PricingConfig& config, Index i) {
  return config.market.assets[static_cast<std::size_t>(i)];
}

/// Whether the sample of the trade is a Lipschitz continuous function of the spots. With early
/// exercise it jumps where a path is exercised at another date.
bool is_lipschitz(const PricingConfig& config, const TradeConfig& t, ScriptDerivatives script) {
  if (t.exercise.is_early()) return false;
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  return payoff.is_lipschitz || (config.options.conditional && payoff.has_conditional_form) ||
         script == ScriptDerivatives::own;
}

/// Whether the paths of an asset are Lipschitz continuous in a quantity for given random numbers.
/// The QE scheme of heston and bates switches between two branches, which depend on the parameters
/// of the variance and on the length of the step; the number of jumps depends on the latter, too.
/// The factors of rates are linear in their volatilities. Of models of plugins nothing is known.
bool is_smooth(const AssetConfig& a, Quantity quantity) {
  const PathModelFunctions& model = functions_of(a);
  if (model.is_of_rates) return true;
  if (model.scheme == StepScheme::launched) return false;
  if (quantity == Quantity::volatility) return !model.has_own_variance;
  if (quantity == Quantity::time) return !model.has_own_variance && !model.has_jumps;
  return true;
}

class PlanBuilder {
 public:
  PlanBuilder(const PricingConfig& config, const PricingSetup& setup,
              const KindsWithoutSweep& without_sweep)
      : config_(config),
        setup_(setup),
        without_sweep_(without_sweep),
        options_(config.options.greeks),
        bumps_(options_.bumps) {
    bumps_.time = std::min(bumps_.time, 0.5 * setup.dates.front());
    for (const Index i : setup.assets)  // nor may a discrete dividend pass
      for (const DividendDrop& drop : asset_of(config, i).drops)
        bumps_.time = std::min(bumps_.time, 0.5 * drop.time);
    for (const TradeConfig& t : config.trades)  // nor a payment of a leg
      if (asset_of(config, t.assets.front()).is_rate())
        bumps_.time = std::min(bumps_.time, 0.5 * first_period_date(t));
  }

  GreekPlan build() {
    plan_.ramp_width = bumps_.spot;
    for (trade_ = 0; trade_ < static_cast<Index>(config_.trades.size()); ++trade_) {
      assets_ = trade().assets;
      is_weighted_ = is_weighted(config_, trade());
      is_smoothable_ = options_.method == GreekMethod::automatic && is_smoothable(config_, trade());
      script_ = script_derivatives(trade());
      is_lipschitz_ = is_lipschitz(config_, trade(), script_);
      spots_ = spots_behind(config_.market, assets_, trade().currency);
      volatilities_ = volatilities_behind(config_.market, assets_);
      currencies_ = rates_behind(config_.market, assets_, trade().currency);
      for (int k = 0; k < greek_kinds; ++k)
        if (options_.has(static_cast<GreekKind>(k))) {
          needs_sweep_ = options_.method == GreekMethod::automatic && has_sweep(k);
          is_ramped_ = options_.method != GreekMethod::bump && has_ramps(k);
          add(static_cast<GreekKind>(k));
        }
    }
    return std::move(plan_);
  }

 private:
  /// Quantity, first and second asset, pillar, form, whether the points are those of a gamma, and
  /// the size of the bump, which for rates is smaller for trades on short rates.
  using Key = std::tuple<int, Index, Index, int, GreekForm, bool, double>;

  /// Whether no sweep can derive the trade, for Greeks of a kind.
  bool is_without_sweep(int kind) const {
    return !without_sweep_.empty() && (without_sweep_[static_cast<std::size_t>(trade_)] &
                                       (1U << static_cast<unsigned>(kind))) != 0;
  }
  /// Whether a sweep smooths the jumps of the trade, or derives its samples at the given dates of
  /// exercise, for Greeks of a kind.
  bool has_sweep(int kind) const {
    const auto t = static_cast<std::size_t>(trade_);
    const std::vector<TradeSetup>& trades = setup_.simulation.trades;  // none in a forecast
    return !is_without_sweep(kind) &&
           (has_crossings(config_, trade()) || has_phoenix_jumps(config_, trade()) ||
            (t < trades.size() && has_swept_exercise(trades[t])));
  }
  /// Whether jumps of the trade's script are replaced by ramps, for Greeks of a kind.
  bool has_ramps(int kind) const {
    return !is_without_sweep(kind) && script_ == ScriptDerivatives::smoothed;
  }

  const TradeConfig& trade() const { return config_.trades[static_cast<std::size_t>(trade_)]; }

  void add(GreekKind kind) {
    switch (kind) {
      case GreekKind::delta:
        for (const Index a : spots_) add_delta(a);
        break;
      case GreekKind::gamma:
        for (const Index a : spots_) add_gamma(a);
        break;
      case GreekKind::cross_gamma:
        for (std::size_t i = 0; i < spots_.size(); ++i)
          for (std::size_t j = i + 1; j < spots_.size(); ++j) add_cross_gamma(spots_[i], spots_[j]);
        break;
      case GreekKind::vega:
      case GreekKind::vega_buckets:
        for (const Index a : volatilities_)
          if (has_volatility(asset_of(config_, a))) add_vega(kind, a);
        break;
      case GreekKind::theta:
        if (has_theta()) add_first_order({trade_, kind}, {Quantity::time}, bumps_.time, 1);
        break;
      case GreekKind::rho:
        for (const Index c : currencies_) add_rho(kind, c, {}, -1);
        break;
      case GreekKind::rho_pillars:
        for (const Index c : currencies_) {
          const std::vector<std::string> pillars = rate_pillars(config_.market, c);
          for (std::size_t i = 0; i < pillars.size(); ++i)
            add_rho(kind, c, pillars[i], static_cast<int>(i));
        }
        break;
    }
  }

  void add_vega(GreekKind kind, Index a) {
    const AssetConfig& asset = asset_of(config_, a);
    const bool has_both = options_.has(GreekKind::vega_buckets) &&
                          functions_of(asset).has_own_variance &&
                          form_of(Quantity::volatility) == GreekForm::bump;
    if (has_both) return add_vega_of_variance(kind, a);
    const auto add_bucket = [&](const std::string& name, int bucket) {
      const double size = allowed_volatility_bump(asset, bucket, bumps_.volatility);
      add_first_order({trade_, kind, a, -1, name}, {Quantity::volatility, a, bucket}, size, 1,
                      falls_to_zero(asset, bucket, size));
    };
    if (kind == GreekKind::vega) return add_bucket({}, -1);
    const std::vector<std::string> buckets = volatility_buckets(asset);
    for (std::size_t i = 0; i < buckets.size(); ++i) add_bucket(buckets[i], static_cast<int>(i));
  }

  /// The pillars v0 and theta of a stochastic variance, of which the vega is the sum, from bumps of
  /// each that all three share.
  void add_vega_of_variance(GreekKind kind, Index a) {
    const AssetConfig& asset = asset_of(config_, a);
    const std::vector<std::string> buckets = volatility_buckets(asset);
    std::vector<std::vector<MarketBump>> points;
    std::vector<double> c;  // of each point
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const int bucket = static_cast<int>(i);
      const double size = allowed_volatility_bump(asset, bucket, bumps_.volatility);
      for (const double sign : {1.0, -1.0}) {
        points.push_back({{Quantity::volatility, a, bucket, sign * size}});
        c.push_back(sign / (2 * size));
      }
    }
    const Key at = key({Quantity::volatility, a, all_buckets}, -1, GreekForm::bump);
    if (kind == GreekKind::vega)
      return add_row({trade_, kind, a}, at, points, {c[0], c[1], c[2], c[3]});
    add_row({trade_, kind, a, -1, buckets[0]}, at, points, {c[0], c[1]});
    add_row({trade_, kind, a, -1, buckets[1]}, at, points, {0, 0, c[2], c[3]});
  }

  /// A step that ends at a discrete dividend may not end there any more when time has passed, so
  /// that paths are not continuous in it.
  bool has_theta() const {
    const AssetConfig& asset = asset_of(config_, trade().assets.front());
    const bool has_drops = std::any_of(asset.drops.begin(), asset.drops.end(), [&](const auto& d) {
      return d.time <= trade().maturity + same_date;
    });
    return !(has_drops && required_extremes(trade()).any());
  }

  /// The bucket names currencies besides the base currency.
  void add_rho(GreekKind kind, Index currency, const std::string& pillar, int bucket) {
    std::string name = pillar;
    if (currency != base_currency)
      name = currency_name(config_.market, currency) + (pillar.empty() ? "" : " " + pillar);
    double size = bumps_.rate;
    constexpr double share = 0.05;  // noise does not depend on it, and the bias falls
    if (asset_of(config_, trade().assets.front()).is_rate())
      size = allowed_rate_bump(config_.market, currency, size, share);
    add_first_order({trade_, kind, -1, -1, std::move(name)},
                    {Quantity::rate, currency == base_currency ? -1 : currency, bucket}, size, 1);
  }

  double spot(Index a) const { return asset_of(config_, a).spot; }

  void add_delta(Index a) {
    if (asset_of(config_, a).is_rate()) return;
    add_first_order({trade_, GreekKind::delta, a}, {Quantity::spot, a}, bumps_.spot, spot(a));
  }

  void add_gamma(Index a) {
    if (asset_of(config_, a).is_rate()) return;
    const double h = bumps_.spot, c = 1 / (h * spot(a) * h * spot(a));
    const MarketBump up{Quantity::spot, a, -1, h}, down{Quantity::spot, a, -1, -h};
    if (has_weighted_gamma(config_, trade()))
      add_row({trade_, GreekKind::gamma, a, -1, {}, GreekForm::likelihood_ratio},
              key(up, -1, GreekForm::likelihood_ratio, true),
              {{{Quantity::spot, a, -1, pathwise_size}}}, {1 / (spot(a) * spot(a))});
    else if (is_smoothable_)
      add_row({trade_, GreekKind::gamma, a, -1, {}, GreekForm::smoothed},
              key(up, -1, GreekForm::smoothed, true), {{up}, {down}}, {c, c});
    else
      add_row({trade_, GreekKind::gamma, a}, key(up, -1, GreekForm::bump), {{up}, {down}}, {c, c});
  }

  void add_cross_gamma(Index a, Index b) {
    const double h = bumps_.spot, c = 1 / (4 * h * spot(a) * h * spot(b));
    const auto both = [&](double first, double second) {
      return std::vector<MarketBump>{{Quantity::spot, a, -1, first},
                                     {Quantity::spot, b, -1, second}};
    };
    add_row({trade_, GreekKind::cross_gamma, a, b}, key({Quantity::spot, a}, b, GreekForm::bump),
            {both(h, h), both(h, -h), both(-h, h), both(-h, -h)}, {c, -c, -c, c});
  }

  static Key key(const MarketBump& bump, Index second_asset, GreekForm form,
                 bool is_gamma = false) {
    return {static_cast<int>(bump.quantity),
            bump.asset,
            second_asset,
            bump.bucket,
            form,
            is_gamma,
            bump.size};
  }

  GreekForm form_of(Quantity quantity) const {
    if (is_weighted_) return GreekForm::likelihood_ratio;
    if (is_smoothable_) return GreekForm::smoothed;
    if (options_.method == GreekMethod::bump || !(needs_sweep_ || is_ramped_ || is_lipschitz_))
      return GreekForm::bump;
    const bool are_smooth = std::all_of(assets_.begin(), assets_.end(), [&](Index a) {
      return is_smooth(asset_of(config_, a), quantity);
    });
    return are_smooth ? GreekForm::pathwise : GreekForm::bump;
  }

  /// Adds a first derivative with respect to `unit` times the bumped quantity, which cannot fall if
  /// `is_one_sided` is set.
  void add_first_order(GreekInfo greek, MarketBump bump, double size, double unit,
                       bool is_one_sided = false) {
    greek.form = form_of(bump.quantity);
    greek.needs_sweep = (needs_sweep_ || is_ramped_) && greek.form == GreekForm::pathwise;
    if (greek.form != GreekForm::bump) size = std::min(size, pathwise_size);
    MarketBump down = bump;
    bump.size = size;
    const Key at = key(bump, -1, greek.form);
    down.size = -size;
    const double c =  // weights are derivatives already
        1 / (greek.form == GreekForm::likelihood_ratio ? unit : size * unit);
    if (greek.form == GreekForm::bump && !is_one_sided)
      add_row(std::move(greek), at, {{bump}, {down}}, {0.5 * c, -0.5 * c});
    else
      add_row(std::move(greek), at, {{bump}}, {c});
  }

  static StencilPayoffs payoffs_of(GreekForm form) {
    if (form == GreekForm::smoothed) return StencilPayoffs::smoothed;
    return form == GreekForm::likelihood_ratio ? StencilPayoffs::weighted : StencilPayoffs::own;
  }

  void add_row(GreekInfo greek, const Key& at, std::vector<std::vector<MarketBump>> points,
               const std::array<double, max_greek_points>& coefficient) {
    const auto [found, is_new] = stencils_.emplace(at, plan_.stencils.size());
    if (is_new)
      plan_.stencils.push_back(
          {payoffs_of(greek.form), greek.kind == GreekKind::gamma, std::move(points), {}});
    std::vector<PlannedEntry>& entries = plan_.stencils[found->second].entries;
    if (entries.empty() || entries.back().trade != trade_) entries.push_back({trade_, {}});
    entries.back().rows.push_back({static_cast<Index>(plan_.greeks.size()), coefficient});
    plan_.greeks.push_back(std::move(greek));
  }

  const PricingConfig& config_;
  const PricingSetup& setup_;
  const KindsWithoutSweep& without_sweep_;
  const GreekOptions& options_;
  GreekBumps bumps_;
  GreekPlan plan_;
  std::map<Key, std::size_t> stencils_;
  Index trade_ = 0;
  bool is_weighted_ = false;                            ///< the trade, by likelihood ratios
  bool is_smoothable_ = false;                          ///< the trade, by the smoothed form
  bool is_lipschitz_ = false;                           ///< the trade
  ScriptDerivatives script_ = ScriptDerivatives::none;  ///< of the trade
  // First derivatives of the current kind, as in has_sweep() and has_ramps().
  bool needs_sweep_ = false, is_ramped_ = false;
  std::vector<Index> assets_;  ///< of the trade
  /// Of the input, on which the value of the trade depends: ascending, each once.
  std::vector<Index> spots_, volatilities_, currencies_;
};

}  // namespace

std::string_view name_of(GreekForm form) {
  constexpr std::string_view names[] = {"bump", "pathwise", "smoothed", "adjoint",
                                        "likelihood_ratio"};
  return names[static_cast<int>(form)];
}

GreekPlan plan_greeks(const PricingConfig& config, const PricingSetup& setup,
                      const KindsWithoutSweep& without_sweep) {
  if (!config.options.greeks.any()) return {};
  return PlanBuilder(config, setup, without_sweep).build();
}

}  // namespace gsim::pricing
