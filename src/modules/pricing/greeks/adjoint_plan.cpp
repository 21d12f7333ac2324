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
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/bumped_asset.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
namespace {

/// A trade with more sums keeps its pathwise Greeks: those of a market that changes otherwise in
/// every step, for which bumped paths cost no more.
constexpr int max_sums = 256;

/// A change of a log-spot or, relative, of a discount factor that is smaller than this is a
/// rounding error: changes that are not 0 are of the order of 2^-20.
double without_rounding(double change) {
  constexpr double rounding = 1e-15;
  return std::fabs(change) < rounding ? 0 : change;
}

/// How an asset changes in a bumped market; without changes its paths are those of the market.
struct AssetChange {
  std::vector<RecordChange> records;
  double spot_change = 0;  ///< S'(0) / S(0) - 1

  double slope(Index record) const {
    return records.empty() ? 0 : records[static_cast<std::size_t>(record)].slope;
  }
  /// Between two records; -1 is the start of the path.
  double shift(Index from, Index to) const {
    if (records.empty()) return 0;
    const double before = from < 0 ? 0 : records[static_cast<std::size_t>(from)].shift;
    return without_rounding(records[static_cast<std::size_t>(to)].shift - before);
  }
};

/// One quantity of the market with respect to which a trade is differentiated.
struct Direction {
  std::size_t stencil, entry;  ///< position in GreekSimulations::stencils, and of the trade in it
  const TradeSetup* trade;     ///< in the bumped market
  bool is_spot;                ///< a spot, and not a rate, a volatility or the time
  /// Of the trade. Paths of its control variate change in the same way, so that its samples keep
  /// their correlation with those of the payoff.
  std::vector<std::shared_ptr<const AssetChange>> assets;

  /// The relative derivative of the discount factor: its logarithm is linear in rates and time, and
  /// its conversion from another currency in a spot.
  double discount_change(const TradeSetup& base) const {
    const double ratio = trade->discount / base.discount;
    return without_rounding(is_spot ? ratio - 1 : logarithm(ratio));
  }
};

bool has_gradient(const TradeSetup& t) {
  return !t.continuous && t.exercise == nullptr && pricing_kernels::has_gradient(t.payoff);
}

/// Whether a payoff depends on the last fixing alone.
bool is_terminal(const TradeSetup& t) {
  return t.payoff == PayoffFormula::vanilla || t.payoff == PayoffFormula::forward;
}

/// Whether the payments of a trade and of its control variate are the same functions of the spots
/// in two markets, apart from discounting and from the weights of the control variate.
bool has_same_terms(const TradeSetup& a, const TradeSetup& b) {
  const auto terms = [](const TradeSetup& t) {
    return std::tie(t.payoff, t.combination, t.sign, t.assets, t.weights, t.records,
                    t.fixing_weights, t.strike, t.average_strike, t.cash, t.past_count, t.past_sum,
                    t.past_maximum, t.past_minimum, t.past_last, t.monitored, t.local_floor,
                    t.local_cap, t.global_floor, t.global_cap, t.annualisation);
  };
  const auto control = [](const TradeSetup& t) {
    return std::tie(t.control, t.control_sign, t.control_strike, t.control_record,
                    t.control_past_sum);
  };
  return terms(a) == terms(b) && control(a) == control(b) &&
         a.control_weights.size() == b.control_weights.size();
}

/// The records at which a payoff reads spots.
std::vector<Index> fixings_of(const TradeSetup& t) {
  return is_terminal(t) ? std::vector<Index>{t.records.back()} : t.records;
}

/// Terms of the Greeks of a trade, by direction, undiscounted.
using Terms = std::vector<std::vector<AdjointTerm>>;

void add_term(std::vector<AdjointTerm>& terms, int sum, double coefficient) {
  if (coefficient != 0) terms.push_back({sum, coefficient});
}

/// The dates of one asset and the coefficients of its sums.
class SweepBuilder {
 public:
  /// `changes` of the asset, by direction.
  SweepBuilder(const TradeSetup& payoff, Index asset, std::vector<const AssetChange*> changes,
               int& sums, Terms& terms)
      : payoff_(payoff), changes_(std::move(changes)), sums_(sums), terms_(terms) {
    sweep_.asset = asset;
  }

  PlannedSweep build() {
    find_dates();
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      double largest = 0;
      for (const PlannedDate& d : sweep_.dates)
        largest = std::fmax(largest, std::fabs(shift(k, d)));
      largest_shift_.push_back(largest);
    }
    for (std::size_t first = 0; first < sweep_.dates.size();) first = add_segment(first);
    sweep_.total = sums_++;
    for (std::size_t k = 0; k < changes_.size(); ++k)
      add_term(terms_[k], sweep_.total, changes_[k]->spot_change);
    std::reverse(sweep_.dates.begin(), sweep_.dates.end());
    return std::move(sweep_);
  }

 private:
  /// The shift since the fixing before, at a fixing: other dates come before the same fixings.
  double shift(std::size_t k, const PlannedDate& d) const {
    return d.fixing < 0 ? 0 : changes_[k]->shift(last_fixing_.at(d.record), d.record);
  }

  bool has_same_slopes(Index a, Index b) const {
    return std::all_of(changes_.begin(), changes_.end(), [&](const AssetChange* c) {
      return is_near(c->slope(a), c->slope(b), slope_rounding);
    });
  }

  /// A date is a fixing, or the last record before the slope of a change is another.
  void find_dates() {
    const Index last = payoff_.records.back();
    std::size_t next = 0;
    Index from = -1, before = -1;
    for (Index r = 0; r <= last; ++r) {
      Index fixing = -1;
      if (payoff_.records[next] == r) fixing = static_cast<Index>(next++);
      if (is_terminal(payoff_) && r < last) fixing = -1;
      if (fixing < 0 && has_same_slopes(r, r + 1)) continue;
      sweep_.dates.push_back({fixing, r, from, -1, 0});
      from = r;
      if (fixing < 0) continue;
      last_fixing_[r] = before;
      before = r;
    }
  }

  /// The direction whose shift is largest at a date, relative to its other dates; or none.
  std::optional<std::size_t> reference(const PlannedDate& d) const {
    std::optional<std::size_t> found;
    double largest = 0;
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      const double share = largest_shift_[k] > 0 ? std::fabs(shift(k, d)) / largest_shift_[k] : 0;
      if (!(share > largest)) continue;
      largest = share;
      found = k;
    }
    return found;
  }

  /// Adds the segment that begins at date `first`; returns the date after it.
  std::size_t add_segment(std::size_t first) {
    constexpr double rounding = 1e-9;  // of the shifts
    const PlannedDate& start = sweep_.dates[first];
    const std::optional<std::size_t> profile = reference(start);
    std::vector<double> ratios;
    for (std::size_t k = 0; k < changes_.size(); ++k)
      ratios.push_back(profile ? shift(k, start) / shift(*profile, start) : 0);
    const auto continues = [&](const PlannedDate& d) {
      if (!has_same_slopes(start.record, d.record)) return false;
      for (std::size_t k = 0; k < changes_.size(); ++k) {
        const double expected = profile ? ratios[k] * shift(*profile, d) : 0;
        if (std::fabs(shift(k, d) - expected) > rounding * largest_shift_[k]) return false;
      }
      return true;
    };
    std::size_t end = first;
    for (; end < sweep_.dates.size() && continues(sweep_.dates[end]); ++end)
      sweep_.dates[end].profile = profile ? shift(*profile, sweep_.dates[end]) : 0;
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      const double slope = changes_[k]->slope(start.record);
      sweep_.reads_logs = sweep_.reads_logs || slope != 0;
      add_term(terms_[k], sums_, slope);
      add_term(terms_[k], sums_ + 1, ratios[k]);
    }
    sweep_.dates[first].sum = sums_;
    sums_ += 2;
    return end;
  }

  const TradeSetup& payoff_;
  std::vector<const AssetChange*> changes_;
  std::map<Index, Index> last_fixing_;  ///< record of the fixing before that at a record
  std::vector<double> largest_shift_;   ///< by direction, of all dates
  PlannedSweep sweep_;
  int& sums_;
  Terms& terms_;
};

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
  AdjointBuilder(GreekPlan& plan, GreekSimulations& simulations)
      : plan_(plan), all_(simulations), is_adjoint_(simulations.points.size()) {
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
  }

 private:
  PlannedStencil& planned(std::size_t k) { return plan_.stencils[all_.stencils[k]]; }
  const TradeSetup& base_trade(Index trade) const {
    return all_.base.trades[static_cast<std::size_t>(position_of(all_.base_trades, trade))];
  }

  /// The change of an asset at the point of a stencil, for a trade with fixings `alone` on this
  /// asset alone, or for trades on several if it is empty; null if its paths cannot be derived.
  std::shared_ptr<const AssetChange> change_of(std::size_t k, Index asset,
                                               const std::vector<Index>& alone) {
    const auto [found, is_new] = changes_.try_emplace({k, asset, alone});
    if (!is_new) return found->second;
    const BumpedAsset bumped(all_.base, all_.points[k][0], static_cast<std::size_t>(asset),
                             /*is_continuous=*/false, ChangeOrder::first);
    if (bumped.is_same()) return found->second = std::make_shared<AssetChange>();
    auto records = alone.empty() ? bumped.changes() : bumped.changes_of_distribution(alone);
    if (records)
      found->second = std::make_shared<AssetChange>(
          AssetChange{std::move(*records), without_rounding(bumped.spot_ratio() - 1)});
    return found->second;
  }

  /// The changes of the assets of a trade; false if there are none.
  bool find_changes(std::size_t k, const TradeSetup& trade, Direction& direction) {
    const auto alone = trade.assets.size() == 1 ? fixings_of(trade) : std::vector<Index>{};
    for (const Index asset : trade.assets) {
      direction.assets.push_back(change_of(k, asset, alone));
      if (direction.assets.back() == nullptr) return false;
    }
    return true;
  }

  std::optional<Direction> direction_of(std::size_t k, std::size_t e) {
    const PlannedEntry& entry = planned(k).entries[e];
    const auto form = plan_.greeks[static_cast<std::size_t>(entry.rows.front().greek)].form;
    if (form != GreekForm::pathwise) return {};
    const bool is_spot = planned(k).points[0].front().quantity == MarketBump::Quantity::spot;
    const TradeSetup& base = base_trade(entry.trade);
    Direction direction{k, e, &all_.points[k][0].trades[e], is_spot, {}};
    if (!has_gradient(base) || !(base.discount > 0) || !has_same_terms(base, *direction.trade))
      return {};
    if (base.control != TradeSetup::Control::none && !has_gradient(control_payoff(base))) return {};
    if (!find_changes(k, base, direction)) return {};
    return direction;
  }

  void add(Index trade, const std::vector<Direction>& directions) {
    const TradeSetup& base = base_trade(trade);
    PlannedAdjoint adjoint;
    adjoint.trade = trade;
    Terms payoff(directions.size()), control(directions.size());
    adjoint.payoff = sweeps(base, directions, adjoint.sums, payoff);
    if (base.control != TradeSetup::Control::none) {
      const TradeSetup of_control = control_payoff(base);
      adjoint.control = sweeps(of_control, directions, adjoint.sums, control);
      add_weights(base, of_control, directions, adjoint, control);
    }
    if (adjoint.sums > max_sums) return;
    for (std::size_t k = 0; k < directions.size(); ++k)
      add_rows(base, directions[k], payoff[k], control[k], adjoint);
    all_.adjoints.push_back(std::move(adjoint));
  }

  static std::vector<PlannedSweep> sweeps(const TradeSetup& payoff,
                                          const std::vector<Direction>& directions, int& sums,
                                          Terms& terms) {
    std::vector<PlannedSweep> list;
    for (std::size_t a = 0; a < payoff.assets.size(); ++a) {
      std::vector<const AssetChange*> changes;
      changes.reserve(directions.size());
      for (const Direction& d : directions) changes.push_back(d.assets[a].get());
      list.push_back(
          SweepBuilder(payoff, payoff.assets[a], std::move(changes), sums, terms).build());
    }
    return list;
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
    for (std::size_t a = 0; a < of_control.assets.size() && !base.control_weights.empty(); ++a) {
      adjoint.control[a].weight = adjoint.sums++;
      for (std::size_t k = 0; k < directions.size(); ++k) {
        const double change = directions[k].trade->control_weights[a] - base.control_weights[a];
        add_term(terms[k], adjoint.control[a].weight, change);
        if (is_geometric)
          scale[k] +=
              change * all_.base.assets[static_cast<std::size_t>(of_control.assets[a])].log_spot;
      }
    }
    if (std::all_of(scale.begin(), scale.end(), [](double s) { return s == 0; })) return;
    adjoint.control.front().scale = adjoint.sums++;
    for (std::size_t k = 0; k < directions.size(); ++k)
      add_term(terms[k], adjoint.control.front().scale, scale[k]);
  }

  void add_rows(const TradeSetup& base, const Direction& direction,
                const std::vector<AdjointTerm>& payoff, const std::vector<AdjointTerm>& control,
                PlannedAdjoint& adjoint) {
    is_adjoint_[direction.stencil][direction.entry] = true;
    const double discount = direction.discount_change(base);
    for (const PlannedRow& row : planned(direction.stencil).entries[direction.entry].rows) {
      const double c = row.coefficient[0];
      PlannedAdjointRow of_greek{row.greek, c * discount, payoff, control};
      for (auto* terms : {&of_greek.payoff, &of_greek.control})
        for (AdjointTerm& t : *terms) t.coefficient *= c * base.discount;
      adjoint.rows.push_back(std::move(of_greek));
      plan_.greeks[static_cast<std::size_t>(row.greek)].form = GreekForm::adjoint;
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

  GreekPlan& plan_;
  GreekSimulations& all_;
  /// By stencil, asset, and the fixings of a trade on it alone.
  std::map<std::tuple<std::size_t, Index, std::vector<Index>>, std::shared_ptr<const AssetChange>>
      changes_;
  std::vector<std::vector<bool>> is_adjoint_;  ///< [stencil][entry]
};

}  // namespace

void use_adjoints(GreekPlan& plan, std::vector<GreekSimulations>& simulations) {
  for (GreekSimulations& s : simulations) AdjointBuilder(plan, s).build();
}

}  // namespace gsim::pricing
