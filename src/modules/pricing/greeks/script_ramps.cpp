#include "src/modules/pricing/greeks/script_ramps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/pricing/payoffs/script_operations.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/scripts/script_evaluation.hpp"
#include "src/modules/pricing/scripts/script_smoothness.hpp"

namespace gsim::pricing {
namespace {

using pricing_kernels::ScriptView;
using Spots = std::vector<double>;  ///< by asset

ScriptListing listing_of(const ScriptView<double>& view) {
  ScriptListing listing;
  for (std::int32_t s = 0; s < view.segments; ++s) {
    listing.segments.emplace_back();
    for (std::int32_t n = view.first_instruction(s); n < view.first_instruction(s + 1); ++n)
      listing.segments.back().push_back(view.instruction(n));
  }
  listing.initial.assign(view.initial, view.initial + view.states);
  listing.constants.assign(view.constant, view.constant + view.constants);
  for (const double* table = view.table; table < view.code; table += view.fixings)
    listing.has_whole_numbers.push_back(
        std::all_of(table, table + view.fixings, [](double x) { return std::floor(x) == x; }));
  return listing;
}

/// A program on one path.
class Path {
 public:
  explicit Path(const ScriptView<double>& script) : script_(&script) {
    std::copy(script.initial, script.initial + script.states, register_.begin());
  }
  /// Calls use(n, b - a) for each instruction n with operands a and b.
  template <class Use>
  void on_fixing(std::int32_t fixing, const Spots& spots, const Use& use) {
    const std::int32_t segment = script_->segment_at(fixing);
    for (std::int32_t n = script_->first_instruction(segment);
         n < script_->first_instruction(segment + 1); ++n) {
      const ScriptInstruction i = script_->instruction(n);
      if (i.operation == ScriptOperation::skip_if_none) continue;
      const auto given = [&](std::int32_t which) {
        const auto at = static_cast<std::size_t>(which);
        if (which < script_first_constant) return register_[at];
        if (which < script_first_asset) return script_->constant[which - script_first_constant];
        if (which < script_first_table) return spots[at - std::size_t{script_first_asset}];
        return script_->table_value(which, fixing);
      };
      const double a = given(i.a), b = given(i.b), c = given(i.c);
      use(n, b - a);
      double& result = register_[static_cast<std::size_t>(i.result)];
      result = evaluate(i.operation, a, b, c, result);
    }
  }

 private:
  const ScriptView<double>* script_;
  std::array<double, script_max_registers> register_ = {};
};

/// Paths of spots of a typical volatility: their differences need no more than the right size.
class TypicalPaths {
 public:
  TypicalPaths(const Simulation& base, const TradeSetup& trade) {
    for (const Index a : trade.assets)
      start_.push_back(base.assets[static_cast<std::size_t>(a)].log_spot);
    std::size_t next = 0;
    double before = 0;
    for (std::size_t k = 0; k < base.grid.times.size() && next < trade.records.size(); ++k) {
      if (base.grid.record_of_step[k] != trade.records[next]) continue;
      deviation_.push_back(volatility * std::sqrt(base.grid.times[k] - before));
      before = base.grid.times[k];
      ++next;
    }
  }

  /// [fixing] of the next path.
  std::vector<Spots> next() {
    std::vector<double> log = start_;
    std::vector<Spots> path;
    for (const double deviation : deviation_) {
      path.emplace_back();
      for (double& x : log) {
        x += deviation * std::sqrt(12.0) * (uniform() - 0.5);
        path.back().push_back(exponential(x));
      }
    }
    return path;
  }

 private:
  static constexpr double volatility = 0.25;

  /// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
  }

  std::vector<double> start_, deviation_;
  std::uint64_t state_ = 0;
};

Spots scaled(const Spots& spots, double factor) {
  Spots all = spots;
  for (double& s : all) s *= factor;
  return all;
}

/// The root mean squares of the relative changes, [instruction].
std::vector<double> changes_of(const ScriptView<double>& script, TypicalPaths& paths,
                               std::size_t instructions) {
  constexpr int count = 16;
  constexpr double step = 0x1p-20;
  struct Sums {
    double all = 0, own = 0, number = 0;
  };
  std::vector<Sums> sums(instructions);
  std::vector<double> difference(instructions);
  const auto add = [&](double Sums::*sum) {
    return [&, sum](std::int32_t n, double x) {
      const auto at = static_cast<std::size_t>(n);
      const double change = (x - difference[at]) / step;
      if (std::isfinite(change)) sums[at].*sum += change * change;
    };
  };
  for (int p = 0; p < count; ++p) {
    const std::vector<Spots> spots = paths.next();
    Path base(script), changed(script);
    for (std::int32_t k = 0; k < script.fixings; ++k) {
      const Spots &here = spots[static_cast<std::size_t>(k)], moved = scaled(here, 1 + step);
      Path at_fixing = base;
      base.on_fixing(k, here, [&](std::int32_t n, double x) {
        difference[static_cast<std::size_t>(n)] = x;
        sums[static_cast<std::size_t>(n)].number += 1;
      });
      at_fixing.on_fixing(k, moved, add(&Sums::own));
      changed.on_fixing(k, moved, add(&Sums::all));
    }
  }
  std::vector<double> changes;
  changes.reserve(sums.size());
  for (const Sums& s : sums)
    changes.push_back(s.number > 0 ? std::sqrt(std::fmax(s.all, s.own) / s.number) : 0);
  return changes;
}

}  // namespace

std::vector<double> ramps_of(const Simulation& base, const TradeSetup& trade, double width) {
  const ScriptView<double> script(trade.numbers.data(),
                                  static_cast<std::int32_t>(trade.records.size()));
  const ScriptListing listing = listing_of(script);
  const std::vector<ScriptComparison> comparisons = comparisons_of(listing);
  TypicalPaths paths(base, trade);
  std::vector<double> changes;
  std::vector<double> ramps(2 * comparisons.size());
  for (std::size_t n = 0; n < comparisons.size(); ++n) {
    if (comparisons[n] == ScriptComparison::none) continue;
    if (comparisons[n] == ScriptComparison::refused) return {};
    if (comparisons[n] == ScriptComparison::whole_numbers) {
      const ScriptOperation operation = script.instruction(static_cast<std::int32_t>(n)).operation;
      const bool includes_equal = operation == ScriptOperation::less_equal ||
                                  operation == ScriptOperation::less_equal_and ||
                                  operation == ScriptOperation::set_where_less_equal;
      ramps[2 * n] = 1;
      ramps[2 * n + 1] = includes_equal ? 1 : 0;
      continue;
    }
    if (changes.empty()) changes = changes_of(script, paths, comparisons.size());
    const double half_width = width * changes[n];
    if (!(half_width > 1e-12)) return {};
    ramps[2 * n] = 0.5 / half_width;
    ramps[2 * n + 1] = 0.5;
  }
  return ramps;
}

}  // namespace gsim::pricing
