#include "src/modules/pricing/greeks/derived_tiles.hpp"

#include <algorithm>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
namespace {

using Quantity = MarketBump::Quantity;

bool has_relative_paths(const AssetDynamics& a) {
  return a.scheme != StepScheme::launched && a.lv_log_spots.empty();
}

/// Whether all recorded values are affine functions of those in the market itself.
bool is_derived(const Simulation& bumped, const std::vector<MarketBump>& bumps) {
  bool is_rate = false;
  for (const MarketBump& b : bumps) {
    if (b.quantity != Quantity::spot && b.quantity != Quantity::rate) return false;
    is_rate = is_rate || b.quantity == Quantity::rate;
  }
  for (std::size_t a = 0; a < bumped.assets.size(); ++a)
    if (bumped.unused[a] == 0 && !has_relative_paths(bumped.assets[a])) return false;
  return !is_rate || std::none_of(bumped.trades.begin(), bumped.trades.end(),
                                  [](const TradeSetup& t) { return t.continuous; });
}

/// By how much the bump raises the integrated drift of an asset until each record.
std::vector<double> drift_changes(const Simulation& base, const Simulation& bumped, std::size_t a) {
  std::vector<double> changes;
  double sum = 0;
  for (std::size_t k = 0; k < base.grid.times.size(); ++k) {
    sum += bumped.assets[a].drift_step[k] - base.assets[a].drift_step[k];
    if (base.grid.record_of_step[k] >= 0) changes.push_back(sum);
  }
  return changes;
}

}  // namespace

std::vector<std::uint8_t> unused_assets(const Simulation& s) {
  std::vector<std::uint8_t> unused(s.assets.size(), 1);
  for (const TradeSetup& t : s.trades)
    for (const Index a : t.assets) unused[static_cast<std::size_t>(a)] = 0;
  return unused;
}

DerivedRows derived_rows(const Simulation& base, const Simulation& bumped,
                         const std::vector<MarketBump>& bumps) {
  DerivedRows derived;
  if (!is_derived(bumped, bumps)) return derived;
  const std::vector<AssetRows> rows = rows_needed(base);
  const std::int32_t rows_per_record = row_count(rows);
  for (std::size_t a = 0; a < rows.size(); ++a) {
    if (bumped.unused[a] != 0) continue;
    const double ratio = exponential(bumped.assets[a].log_spot - base.assets[a].log_spot);
    const std::vector<double> changes = drift_changes(base, bumped, a);
    for (std::size_t k = 0; k < changes.size(); ++k) {
      const auto add = [&](std::int32_t row, double scale, double shift) {
        if (row < 0) return;
        derived.row.push_back(static_cast<std::int32_t>(k) * rows_per_record + row);
        derived.scale.push_back(scale);
        derived.shift.push_back(shift);
      };
      add(rows[a].spot, ratio * exponential(changes[k]), 0);
      add(rows[a].log, 1, changes[k]);
      add(rows[a].maximum, 1, 0);
      add(rows[a].minimum, 1, 0);
      add(rows[a].variance, 1, 0);
      add(rows[a].instantaneous_variance, 1, 0);
    }
  }
  return derived;
}

}  // namespace gsim::pricing
