#include "src/modules/pricing/greeks/adjoint_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "kernels/pricing/greeks/adjoint/payoff_gradients.hpp"
#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"
#include "src/modules/pricing/greeks/exercised_adjoints.hpp"
#include "src/modules/pricing/greeks/note_sweeps.hpp"
#include "src/modules/pricing/greeks/path_derivative.hpp"
#include "src/modules/pricing/greeks/rate_claim_changes.hpp"
#include "src/modules/pricing/greeks/script_ramps.hpp"
#include "src/modules/pricing/greeks/script_sweeps.hpp"
#include "src/modules/pricing/greeks/smoothed_sweeps.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"
#include "src/modules/pricing/scripts/run_barrier.hpp"

namespace gsim::pricing {
namespace {

/// A trade with more sums, those of its payments excepted, keeps its pathwise Greeks: those of a
/// market that changes otherwise in every step, for which bumped paths cost no more. Rate claims
/// have a sum for each term, and trades with early exercise some for each date.
constexpr int max_sums = 256, max_sums_by_date = 4096;

/// One quantity of the market with respect to which a trade is differentiated.
struct Direction {
  std::size_t stencil, entry;  ///< position in GreekSimulations::stencils, and of the trade in it
  const TradeSetup* trade;     ///< in the bumped market
  bool is_spot;                ///< a spot, and not a rate, a volatility or the time
  SweptPayoff swept;           ///< the same in all directions of a trade with one
  /// Of the trade. Paths of its control variate change in the same way, so that its samples keep
  /// their correlation with those of the payoff.
  AssetChanges assets;

  /// The relative derivative of the discount factor: its logarithm is linear in rates and time, and
  /// its conversion from another currency in a spot.
  double discount_change(const TradeSetup& base) const {
    return is_spot ? without_rounding(trade->discount / base.discount - 1)
                   : relative_change(base.discount, trade->discount);
  }
};

std::vector<AssetChanges> changes_by(const std::vector<Direction>& directions) {
  std::vector<AssetChanges> changes;
  changes.reserve(directions.size());
  for (const Direction& d : directions) changes.push_back(d.assets);
  return changes;
}

std::vector<const TradeSetup*> bumped_trades(const std::vector<Direction>& directions) {
  std::vector<const TradeSetup*> trades;
  trades.reserve(directions.size());
  for (const Direction& d : directions) trades.push_back(d.trade);
  return trades;
}

bool has_gradient(const TradeSetup& t) {
  return !t.continuous && t.exercise == nullptr && pricing_kernels::has_gradient(t.payoff);
}

/// Whether the payments of a trade and of its control variate are the same functions of the spots
/// in two markets (has_same_payoff()), apart from the weights of the control variate.
bool has_same_terms(const TradeSetup& a, const TradeSetup& b) {
  const auto control = [](const TradeSetup& t) {
    return std::tie(t.control, t.control_sign, t.control_strike, t.control_record,
                    t.control_past_sum);
  };
  const bool has_same_run =  // and state today
      !is_run_barrier(a) || run_barrier_of(a) == run_barrier_of(b);
  return has_same_payoff(a, b) && control(a) == control(b) && has_same_run &&
         a.control_weights.size() == b.control_weights.size();
}

/// Removes the elements with a flag from a list.
template <class T>
void remove(std::vector<T>& list, const std::vector<bool>& flags) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!flags[i] && kept++ != i) list[kept - 1] = std::move(list[i]);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
}

class AdjointBuilder {
 public:
  AdjointBuilder(const PricingConfig& config, GreekPlan& plan, GreekSimulations& simulations)
      : config_(config), plan_(plan), all_(simulations), is_adjoint_(simulations.points.size()) {
    for (std::size_t k = 0; k < is_adjoint_.size(); ++k)
      is_adjoint_[k].resize(planned(k).entries.size());
  }

  void build() {
    if (all_.base.conditional) return;
    std::map<Index, std::vector<Direction>> of_trade;
    for (std::size_t k = 0; k < all_.points.size(); ++k)
      for (std::size_t e = 0; e < planned(k).entries.size(); ++e)
        if (auto direction = direction_of(k, e))
          of_trade[planned(k).entries[e].trade].push_back(std::move(*direction));
    for (const auto& [trade, directions] : of_trade) add(trade, directions);
    remove_from_stencils();
    remove_unread_tangents();
  }

 private:
  PlannedStencil& planned(std::size_t k) { return plan_.stencils[all_.stencils[k]]; }
  const TradeSetup& base_trade(Index trade) const {
    return all_.base.trades[static_cast<std::size_t>(position_of(all_.base_trades, trade))];
  }

  bool are_lognormal(const std::vector<Index>& assets) const {
    return std::all_of(assets.begin(), assets.end(), [&](Index a) {
      return is_lognormal(all_.base.assets[static_cast<std::size_t>(a)]);
    });
  }

  /// The change of an asset of a trade at the point of a stencil; null if its paths cannot be
  /// derived.
  std::shared_ptr<const AssetChange> change_of(std::size_t k, const std::vector<Index>& assets,
                                               const std::vector<Index>& fixings,
                                               std::size_t position, bool is_conditional) {
    const Index asset = assets[position];
    const auto [found, is_new] = changes_.try_emplace(
        is_conditional ? Key{k, asset, assets, fixings} : Key{k, asset, {}, {}});
    if (!is_new) return found->second;
    const BumpedAsset bumped(all_.base, all_.points[k][0], static_cast<std::size_t>(asset),
                             /*is_continuous=*/false, ChangeOrder::first);
    std::optional<AssetChange> change;
    if (bumped.is_same())
      change = AssetChange();
    else if (is_conditional && bumped.has_lognormal_paths())
      change = conditional_change(all_.base, all_.points[k][0], assets, position, fixings);
    else if (auto records = bumped.changes())
      change = AssetChange(std::move(*records), without_rounding(bumped.spot_ratio() - 1));
    else if (auto scaled = factor_change(all_.base, all_.points[k][0], asset))
      change = std::move(*scaled);
    else if (auto tangent = path_derivative(all_.base, all_.points[k][0], asset)) {
      change = AssetChange::simulated(all_.tangents.size());
      all_.tangents.push_back(std::move(*tangent));
    }
    if (change) found->second = std::make_shared<AssetChange>(std::move(*change));
    return found->second;
  }

  /// The changes of the assets of a trade that reads them at `fixings`; false if there are none.
  bool find_changes(std::size_t k, const std::vector<Index>& assets,
                    const std::vector<Index>& fixings, Direction& direction) {
    const bool is_conditional = are_lognormal(assets);
    for (std::size_t i = 0; i < assets.size(); ++i) {
      direction.assets.push_back(change_of(k, assets, fixings, i, is_conditional));
      if (direction.assets.back() == nullptr) return false;
    }
    return true;
  }

  SweptPayoff swept_as(Index trade, const GreekInfo& greek) const {
    const TradeSetup& base = base_trade(trade);
    if (has_script_sweep(base)) return SweptPayoff::script;
    return greek.needs_sweep || greek.form == GreekForm::smoothed ? swept_payoff(base)
                                                                  : swept_note(base);
  }

  std::optional<Direction> direction_of(std::size_t k, std::size_t e) {
    const PlannedEntry& entry = planned(k).entries[e];
    const GreekInfo& greek = plan_.greeks[static_cast<std::size_t>(entry.rows.front().greek)];
    const bool is_first_order = planned(k).points.size() == 1;
    if (greek.form != GreekForm::pathwise && (greek.form != GreekForm::smoothed || !is_first_order))
      return {};
    const bool is_spot = planned(k).points[0].front().quantity == MarketBump::Quantity::spot;
    const TradeSetup& base = base_trade(entry.trade);
    const SweptPayoff swept =
        base.exercise != nullptr ? SweptPayoff::own : swept_as(entry.trade, greek);
    Direction direction{k, e, &all_.points[k][0].trades[e], is_spot, swept, {}};
    if (!(base.discount > 0) || !is_swept(base, *direction.trade, swept)) return {};
    const bool is_exercised = base.exercise != nullptr;
    if (!find_changes(
            k, base.assets,
            is_exercised ? records_of_exercise(base) : fixings_of(read_by_gradient(base, swept)),
            direction) ||
        !add_changes_of_loadings(base, *direction.trade, all_.base.grid.recorded_dates,
                                 direction.assets))
      return {};
    return direction;
  }

  /// Whether a sweep can derive a trade that is `bumped` in a bumped market.
  static bool is_swept(const TradeSetup& base, const TradeSetup& bumped, SweptPayoff swept) {
    if (base.exercise != nullptr)
      return has_swept_exercise(base) && has_same_exercise(base, bumped);
    if ((swept == SweptPayoff::own && !has_gradient(base)) || !has_same_terms(base, bumped))
      return false;
    if (swept == SweptPayoff::script && !has_same_program(base, bumped)) return false;
    if (is_note(swept) && !has_same_states(base, bumped, swept)) return false;
    return base.control == TradeSetup::Control::none || has_gradient(control_payoff(base));
  }

  void add(Index trade, const std::vector<Direction>& directions) {
    const TradeSetup& base = base_trade(trade);
    PlannedAdjoint adjoint;
    adjoint.trade = trade;
    Terms payoff(directions.size()), control(directions.size());
    if (base.exercise != nullptr) return add_exercised(base, directions, std::move(adjoint));
    adjoint.swept = directions.front().swept;
    const TradeConfig& config = config_.trades[static_cast<std::size_t>(trade)];
    adjoint.numbers = is_note(adjoint.swept)
                          ? note_gradient_numbers(all_.base, base, config, adjoint.swept)
                          : gradient_numbers(all_.base, base, adjoint.swept);
    if (is_note(adjoint.swept) && adjoint.numbers.empty()) return;
    adjoint.payoff = plan_sweeps(read_by_gradient(base, adjoint.swept), changes_by(directions),
                                 adjoint.sums, payoff, adjoint.swept);
    if (base.payoff == PayoffFormula::rate_claims) add_claims(base, directions, adjoint, payoff);
    int sums_of_program = 0;  // one for each date of a payment, which read no column
    std::vector<double> ramps;
    if (adjoint.swept == SweptPayoff::script) {
      ramps = ramps_of(all_.base, base, plan_.ramp_width);
      if (ramps.empty()) return;
      adjoint.numbers =
          add_changes_of_program(base, bumped_trades(directions), adjoint.sums, payoff);
      sums_of_program = static_cast<int>(adjoint.numbers.front());
      adjoint.script = script_size(base, adjoint.numbers);
      append_program(base, ramps, adjoint.numbers);
    } else if (adjoint.swept != SweptPayoff::own) {
      for (std::size_t a = 0; a < base.assets.size(); ++a)
        adjoint.payoff[a].reads_logs = true;  // as the gradient does
      for (std::size_t k = 0; k < directions.size(); ++k) {
        const TradeSetup& bumped = *directions[k].trade;
        if (is_note(adjoint.swept))
          add_changes_of_payments(base, bumped, config, adjoint.swept, adjoint.payoff.front(),
                                  adjoint.sums, payoff[k]);
        else
          add_changes_of_numbers(base, bumped, adjoint.swept,
                                 directions[k].assets.front()->spot_change(),
                                 adjoint.payoff.front(), adjoint.sums, payoff[k]);
      }
    }
    if (base.control != TradeSetup::Control::none) {
      const TradeSetup of_control = control_payoff(base);
      adjoint.control = plan_sweeps(of_control, changes_by(directions), adjoint.sums, control);
      add_weights(base, of_control, directions, adjoint, control);
    }
    const bool has_payments = adjoint.payoff.front().paid >= 0;
    const int sums_of_payments =  // one for each date, which read no column
        has_payments ? static_cast<int>(base.records.size()) : sums_of_program;
    if (adjoint.sums > (base.payoff == PayoffFormula::rate_claims ? max_sums_by_date
                                                                  : max_sums + sums_of_payments))
      return;
    if (adjoint.swept == SweptPayoff::digital || adjoint.swept == SweptPayoff::barrier)
      add_values(base, directions, adjoint, payoff);
    else
      add_own_samples(base, directions, adjoint);
    for (std::size_t k = 0; k < directions.size(); ++k)
      add_rows(base, directions[k], payoff[k], control[k], base.discount, adjoint);
    all_.adjoints.push_back(std::move(adjoint));
  }

  /// A trade with early exercise, whose sums are discounted.
  void add_exercised(const TradeSetup& base, const std::vector<Direction>& directions,
                     PlannedAdjoint adjoint) {
    Terms payoff(directions.size()), control(directions.size());
    plan_exercise(base, bumped_trades(directions), changes_by(directions), adjoint, payoff,
                  control);
    if (adjoint.sums > max_sums_by_date) return;
    for (std::size_t k = 0; k < directions.size(); ++k)
      add_rows(base, directions[k], payoff[k], control[k], 1, adjoint);
    all_.adjoints.push_back(std::move(adjoint));
  }

  /// The derivatives of rate claims by the amounts of their terms.
  static void add_claims(const TradeSetup& base, const std::vector<Direction>& directions,
                         PlannedAdjoint& adjoint, Terms& payoff) {
    PlannedSweep& sweep = adjoint.payoff.front();
    sweep.claims = adjoint.sums;
    sweep.claim_count = static_cast<int>(number_of_terms(base));
    adjoint.sums += sweep.claim_count;
    for (std::size_t k = 0; k < directions.size(); ++k)
      for (int t = 0; t < sweep.claim_count; ++t)
        add_term(
            payoff[k], sweep.claims + t,
            without_rounding(amount_of_term(*directions[k].trade, t) - amount_of_term(base, t)));
  }

  /// The derivatives of a control variate by its weights, which may depend on the market, and by
  /// the logarithm of its scale.
  void add_weights(const TradeSetup& base, const TradeSetup& of_control,
                   const std::vector<Direction>& directions, PlannedAdjoint& adjoint,
                   Terms& terms) const {
    const bool is_geometric = of_control.combination == Combination::geometric;
    std::vector<double> scale(directions.size());
    for (std::size_t k = 0; k < directions.size(); ++k)
      if (is_geometric) scale[k] = directions[k].trade->control_log_scale - base.control_log_scale;
    // The sums of the first asset hold its weight as a factor, and those by the weights of assets
    // are its derivatives times their log-spots.
    const bool is_common = has_common_sums(adjoint.control);
    const double of_first = is_common ? 1 / of_control.weights.front() : 1;
    for (std::size_t a = 0; a < of_control.assets.size() && !base.control_weights.empty(); ++a) {
      if (!is_common) adjoint.control[a].weight = adjoint.sums++;
      const int sum = is_common ? adjoint.control[a].dates.front().sum : adjoint.control[a].weight;
      for (std::size_t k = 0; k < directions.size(); ++k) {
        const double change = directions[k].trade->control_weights[a] - base.control_weights[a];
        add_term(terms[k], sum, change * of_first);
        if (is_geometric)
          scale[k] +=
              change * all_.base.assets[static_cast<std::size_t>(of_control.assets[a])].log_spot;
      }
    }
    if (std::all_of(scale.begin(), scale.end(), [](double s) { return s == 0; })) return;
    if (!is_common) adjoint.control.front().scale = adjoint.sums++;
    const int sum = is_common ? adjoint.control.front().total : adjoint.control.front().scale;
    for (std::size_t k = 0; k < directions.size(); ++k)
      add_term(terms[k], sum, scale[k] * of_first);
  }

  /// The sums of the discounted samples of the trade and of its control variate, if some quantity
  /// changes the discount factor.
  static void add_own_samples(const TradeSetup& base, const std::vector<Direction>& directions,
                              PlannedAdjoint& adjoint) {
    if (std::all_of(directions.begin(), directions.end(),
                    [&](const Direction& d) { return d.discount_change(base) == 0; }))
      return;
    adjoint.payoff_sum = adjoint.sums++;
    if (base.control != TradeSetup::Control::none) adjoint.control_sum = adjoint.sums++;
  }

  /// The same for a smoothed payoff, of its values on the paths.
  static void add_values(const TradeSetup& base, const std::vector<Direction>& directions,
                         PlannedAdjoint& adjoint, Terms& payoff) {
    adjoint.payoff.front().value = adjoint.sums++;
    for (std::size_t k = 0; k < directions.size(); ++k)
      add_term(payoff[k], adjoint.payoff.front().value, directions[k].discount_change(base));
  }

  /// `factor` multiplies the sums, besides those of whole samples.
  void add_rows(const TradeSetup& base, const Direction& direction,
                const std::vector<AdjointTerm>& payoff, const std::vector<AdjointTerm>& control,
                double factor, PlannedAdjoint& adjoint) {
    is_adjoint_[direction.stencil][direction.entry] = true;
    const double of_sample =
        static_cast<double>(batches_of_block) / static_cast<double>(all_.base.block_samples);
    const double of_path = all_.base.antithetic ? 0.5 * of_sample : of_sample;
    const double discount = direction.discount_change(base);
    for (const PlannedRow& row : planned(direction.stencil).entries[direction.entry].rows) {
      const double c = row.coefficient[0];
      PlannedAdjointRow of_greek{row.greek, payoff, control};
      for (auto* terms : {&of_greek.payoff, &of_greek.control})
        for (AdjointTerm& t : *terms) t.coefficient *= c * factor * of_path;
      if (adjoint.payoff_sum >= 0)
        add_term(of_greek.payoff, adjoint.payoff_sum, c * discount * of_sample);
      if (adjoint.control_sum >= 0)
        add_term(of_greek.control, adjoint.control_sum, c * discount * of_sample);
      adjoint.rows.push_back(std::move(of_greek));
      GreekInfo& greek = plan_.greeks[static_cast<std::size_t>(row.greek)];
      const bool is_smoothed =
          adjoint.swept == SweptPayoff::script
              ? greek.needs_sweep
              : adjoint.swept != SweptPayoff::own && adjoint.swept != SweptPayoff::napoleon;
      greek.form = is_smoothed ? GreekForm::smoothed : GreekForm::adjoint;
      greek.is_swept = true;
    }
  }

  void remove_from_stencils() {
    std::vector<std::size_t> stencils;
    std::vector<std::vector<Simulation>> points;
    for (std::size_t k = 0; k < all_.points.size(); ++k) {
      remove(planned(k).entries, is_adjoint_[k]);
      for (Simulation& point : all_.points[k]) remove(point.trades, is_adjoint_[k]);
      if (planned(k).entries.empty()) continue;
      stencils.push_back(all_.stencils[k]);
      points.push_back(std::move(all_.points[k]));
    }
    all_.stencils = std::move(stencils);
    all_.points = std::move(points);
  }

  /// The number of a tangent among those that are read, to which it is added.
  std::size_t kept_tangent(std::size_t tangent, std::vector<std::optional<std::size_t>>& position,
                           std::vector<AssetTangent>& read) {
    std::optional<std::size_t>& to = position[tangent];
    if (!to) {
      to = read.size();
      read.push_back(std::move(all_.tangents[tangent]));
    }
    return *to;
  }

  /// Trades whose other assets or sums allow no adjoint Greeks leave tangents that nothing reads.
  void remove_unread_tangents() {
    std::vector<std::optional<std::size_t>> position(all_.tangents.size());
    std::vector<AssetTangent> read;
    for (PlannedAdjoint& adjoint : all_.adjoints)
      for (auto* sweeps : {&adjoint.payoff, &adjoint.control})
        for (PlannedSweep& sweep : *sweeps) {
          if (!sweep.tangent) continue;
          sweep.tangent = kept_tangent(*sweep.tangent, position, read);
        }
    for (PlannedAdjoint& adjoint : all_.adjoints) {
      if (!adjoint.exercise) continue;
      for (PlannedExercisedColumn& column : adjoint.exercise->columns)
        if (column.tangent) column.tangent = kept_tangent(*column.tangent, position, read);
    }
    all_.tangents = std::move(read);
  }

  const PricingConfig& config_;
  GreekPlan& plan_;
  GreekSimulations& all_;
  /// Stencil, asset, and the assets and fixings of a trade on lognormal assets.
  using Key = std::tuple<std::size_t, Index, std::vector<Index>, std::vector<Index>>;
  std::map<Key, std::shared_ptr<const AssetChange>> changes_;
  std::vector<std::vector<bool>> is_adjoint_;  ///< [stencil][entry]
};

}  // namespace

void use_adjoints(const PricingConfig& config, GreekPlan& plan,
                  std::vector<GreekSimulations>& simulations) {
  for (GreekSimulations& s : simulations) AdjointBuilder(config, plan, s).build();
}

}  // namespace gsim::pricing
