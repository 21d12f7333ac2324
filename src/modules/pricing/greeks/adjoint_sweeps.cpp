#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace gsim::pricing {
namespace {

/// Whether a payoff depends on the last fixing alone.
bool is_terminal(const TradeSetup& t) {
  return t.payoff == PayoffFormula::vanilla || t.payoff == PayoffFormula::forward;
}

/// The dates of one sweep and the coefficients of its sums.
class SweepBuilder {
 public:
  /// `changes`, by direction, are those of the asset at `position` in the payoff, by the changes of
  /// the log-spots of the asset at `read`.
  SweepBuilder(const TradeSetup& payoff, std::size_t position, std::size_t read,
               std::vector<const AssetChange*> changes, SweptPayoff swept, int& sums, Terms& terms)
      : payoff_(payoff),
        read_(read),
        is_own_(read == position),
        has_crossings_(is_own_ &&
                       (swept == SweptPayoff::crossings || swept == SweptPayoff::phoenix)),
        changes_(std::move(changes)),
        sums_(sums),
        terms_(terms) {
    sweep_.position = static_cast<Index>(position);
    sweep_.asset = payoff.assets[read];
  }

  /// Whether some change has a slope different from 0.
  bool has_slopes() const {
    const Index last = payoff_.records.back();
    return std::any_of(changes_.begin(), changes_.end(), [&](const AssetChange* c) {
      if (!is_own_ && !c->has_other_slopes()) return false;
      for (Index r = 0; r <= last; ++r)
        if (slope(*c, r) != 0) return true;
      return false;
    });
  }

  PlannedSweep build() {
    find_dates();
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      double largest = 0;
      for (const PlannedDate& d : sweep_.dates)
        largest = std::fmax(largest, std::fabs(shift(k, d)));
      largest_shift_.push_back(largest);
    }
    if (sweep_.dates.size() == 1)
      add_only_date();
    else
      for (std::size_t first = 0; first < sweep_.dates.size();) first = add_segment(first);
    if (is_own_) {
      sweep_.total = sums_++;
      for (std::size_t k = 0; k < changes_.size(); ++k) {
        const bool is_only = sweep_.dates.size() == 1;
        add_term(terms_[k], sweep_.total,
                 changes_[k]->spot_change() + (is_only ? shift(k, sweep_.dates.front()) : 0));
      }
    }
    std::reverse(sweep_.dates.begin(), sweep_.dates.end());
    return std::move(sweep_);
  }

 private:
  double slope(const AssetChange& change, Index record) const {
    return is_own_ ? change.slope(record) : change.slope_of_other(record, read_);
  }

  /// The shift since the fixing before, at a fixing: other dates come before the same fixings.
  double shift(std::size_t k, const PlannedDate& d) const {
    return d.fixing < 0 || !is_own_ ? 0 : changes_[k]->shift(last_fixing_.at(d.record), d.record);
  }

  bool has_same_slopes(Index a, Index b) const {
    return std::all_of(changes_.begin(), changes_.end(), [&](const AssetChange* c) {
      return is_near(slope(*c, a), slope(*c, b), slope_rounding);
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
      sweep_.dates.push_back({fixing, r, from, -1, -1, 0});
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

  void add_slopes(PlannedDate& start) {
    start.sum = sums_++;
    if (has_crossings_) start.further = sums_++;
    for (std::size_t k = 0; k < changes_.size(); ++k) {
      const double by_change = slope(*changes_[k], start.record);
      sweep_.reads_logs = sweep_.reads_logs || by_change != 0;
      add_term(terms_[k], start.sum, by_change);
      if (has_crossings_) add_term(terms_[k], start.further, by_change);
    }
  }

  /// Of a single date, whose shifts are multiplied with the sum `total`.
  void add_only_date() { add_slopes(sweep_.dates.front()); }

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
    add_slopes(sweep_.dates[first]);
    if (!is_own_) return end;
    sweep_.dates[first].profile_sum = sums_++;
    for (std::size_t k = 0; k < changes_.size(); ++k)
      add_term(terms_[k], sweep_.dates[first].profile_sum, ratios[k]);
    return end;
  }

  const TradeSetup& payoff_;
  std::size_t read_;
  bool is_own_, has_crossings_;
  std::vector<const AssetChange*> changes_;
  std::map<Index, Index> last_fixing_;  ///< record of the fixing before that at a record
  std::vector<double> largest_shift_;   ///< by direction, of all dates
  PlannedSweep sweep_;
  int& sums_;
  Terms& terms_;
};

/// The sweep that sums the derivatives at the fixings times a tangent of the asset at `position`.
PlannedSweep tangent_sweep(const TradeSetup& payoff, std::size_t position, std::size_t tangent,
                           int sum) {
  PlannedSweep sweep;
  sweep.position = static_cast<Index>(position);
  sweep.asset = payoff.assets[position];
  sweep.reads_logs = true;
  sweep.tangent = tangent;
  const std::vector<Index> records = fixings_of(payoff);
  const auto first = static_cast<Index>(payoff.records.size() - records.size());
  for (Index i = static_cast<Index>(records.size()); i-- > 0;)
    sweep.dates.push_back(
        {first + i, records[static_cast<std::size_t>(i)], -1, i == 0 ? sum : -1, -1, 0});
  return sweep;
}

SweepBuilder builder_of(const TradeSetup& payoff, const std::vector<AssetChanges>& changes,
                        std::size_t position, std::size_t read, SweptPayoff swept, int& sums,
                        Terms& terms) {
  std::vector<const AssetChange*> of_asset;
  of_asset.reserve(changes.size());
  for (const AssetChanges& c : changes) of_asset.push_back(c[position].get());
  return SweepBuilder(payoff, position, read, std::move(of_asset), swept, sums, terms);
}

/// The sweeps over the assets of a payoff, then those with the log-spots of other assets.
std::vector<PlannedSweep> sweeps_by_asset(const TradeSetup& payoff,
                                          const std::vector<AssetChanges>& changes,
                                          SweptPayoff swept, int& sums, Terms& terms) {
  std::vector<PlannedSweep> list;
  const std::size_t n = payoff.assets.size();
  for (std::size_t a = 0; a < n; ++a)
    list.push_back(builder_of(payoff, changes, a, a, swept, sums, terms).build());
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      if (a == b) continue;
      SweepBuilder of_other = builder_of(payoff, changes, a, b, swept, sums, terms);
      if (of_other.has_slopes()) list.push_back(of_other.build());
    }
  return list;
}

/// The weight of an asset relative to that of the first one.
double relative_weight(const TradeSetup& payoff, std::size_t asset) {
  return payoff.weights[asset] / payoff.weights.front();
}

/// Sweeps with common sums (has_common_sums()); none where the payoff allows none.
std::vector<PlannedSweep> common_sweeps(const TradeSetup& payoff,
                                        const std::vector<AssetChanges>& changes, int& sums,
                                        Terms& terms) {
  const std::size_t n = payoff.assets.size();
  if (payoff.combination != Combination::geometric || n < 2 || payoff.weights.front() == 0)
    return {};
  // [direction] coefficients of the sum of the derivatives, and of [asset] their products with
  // log-spots
  std::vector<double> of_total(changes.size());
  std::vector<std::vector<double>> of_column(n, of_total);
  std::vector<PlannedSweep> list(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      int local_sums = 0;
      Terms local(changes.size());
      SweepBuilder builder = builder_of(payoff, changes, a, b, SweptPayoff::own, local_sums, local);
      if (a != b && a != 0 && !builder.has_slopes()) continue;
      PlannedSweep sweep = builder.build();
      if (sweep.dates.size() != 1) return {};
      for (std::size_t k = 0; k < changes.size(); ++k)
        for (const AdjointTerm& t : local[k])
          (t.sum == sweep.total ? of_total : of_column[b])[k] +=
              relative_weight(payoff, a) * t.coefficient;
      if (a == 0) list[b] = std::move(sweep);
    }
  for (std::size_t b = 0; b < n; ++b) {
    list[b].reads_logs = true;  // as the payoff does
    list[b].dates.front().sum = sums++;
    for (std::size_t k = 0; k < changes.size(); ++k)
      add_term(terms[k], list[b].dates.front().sum, of_column[b][k]);
  }
  list.front().total = sums++;
  for (std::size_t k = 0; k < changes.size(); ++k)
    add_term(terms[k], list.front().total, of_total[k]);
  return list;
}

}  // namespace

void add_term(std::vector<AdjointTerm>& terms, int sum, double coefficient) {
  if (coefficient == 0) return;
  const auto same =
      std::find_if(terms.begin(), terms.end(), [&](const AdjointTerm& t) { return t.sum == sum; });
  if (same == terms.end())
    terms.push_back({sum, coefficient});
  else
    same->coefficient += coefficient;
}

std::vector<Index> fixings_of(const TradeSetup& t) {
  return is_terminal(t) ? std::vector<Index>{t.records.back()} : t.records;
}

bool has_same_payoff(const TradeSetup& a, const TradeSetup& b) {
  const auto terms = [](const TradeSetup& t) {
    return std::tie(t.payoff, t.combination, t.sign, t.assets, t.weights, t.records,
                    t.fixing_weights, t.strike, t.average_strike, t.cash, t.past_count, t.past_sum,
                    t.past_maximum, t.past_minimum, t.past_last, t.monitored, t.local_floor,
                    t.local_cap, t.global_floor, t.global_cap, t.annualisation);
  };
  return terms(a) == terms(b);
}

bool has_common_sums(const std::vector<PlannedSweep>& sweeps) {
  return sweeps.size() > 1 && sweeps[1].position == 0 && !sweeps[1].tangent;
}

std::vector<PlannedSweep> plan_sweeps(const TradeSetup& payoff,
                                      const std::vector<AssetChanges>& changes, int& sums,
                                      Terms& terms, SweptPayoff swept) {
  std::vector<PlannedSweep> list = common_sweeps(payoff, changes, sums, terms);
  if (list.empty()) list = sweeps_by_asset(payoff, changes, swept, sums, terms);
  const bool is_common = has_common_sums(list);
  for (std::size_t k = 0; k < changes.size(); ++k)
    for (std::size_t a = 0; a < payoff.assets.size(); ++a) {
      const std::optional<std::size_t>& tangent = changes[k][a]->tangent();
      if (!tangent) continue;
      list.push_back(tangent_sweep(payoff, a, *tangent, sums));
      if (is_common) list.back().position = 0;
      add_term(terms[k], sums++, is_common ? relative_weight(payoff, a) : 1);
    }
  return list;
}

}  // namespace gsim::pricing
