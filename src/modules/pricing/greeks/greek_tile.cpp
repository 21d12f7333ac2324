#include "src/modules/pricing/greeks/greek_tile.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/bumped_asset.hpp"

namespace gsim::pricing {
namespace {

using Derived = DerivedRecord<double>;

/// What the trades of a simulation read of one asset.
struct Reads {
  bool any = false, continuous = false;
  bool alone = true;  ///< no trade reads it together with another asset
  std::vector<bool> record;
};

std::vector<Reads> reads_of(const Simulation& s) {
  std::vector<Reads> reads(s.assets.size());
  for (Reads& r : reads) r.record.resize(static_cast<std::size_t>(s.grid.recorded_dates));
  for (const TradeSetup& t : s.trades)
    for (const Index a : t.assets) {
      Reads& r = reads[static_cast<std::size_t>(a)];
      r.any = true;
      r.continuous = r.continuous || t.continuous;
      r.alone = r.alone && t.assets.size() == 1;
      if (t.exercise != nullptr) r.record.assign(r.record.size(), true);
      for (const Index record : t.records) r.record[static_cast<std::size_t>(record)] = true;
    }
  return reads;
}

/// Whether the normals of the steps in a bumped market differ from those in the market itself: with
/// a Brownian bridge they depend on the times of the steps.
bool has_other_normals(const Simulation& base, const Simulation& bumped) {
  return bumped.sampling == Sampling::sobol && bumped.brownian_bridge &&
         bumped.grid.times != base.grid.times;
}

/// The paths of an asset at a point of a stencil.
struct AssetPaths {
  enum class Kind { same, derived, simulated, absent } kind = Kind::same;
  std::vector<RecordChange> changes;  ///< derived
  double spot_ratio = 1;              ///< derived
  AssetRows needed;                   ///< an index that is not negative: the row is read
  std::vector<bool> record;           ///< whether it is read

  bool has_slope() const {
    return std::any_of(changes.begin(), changes.end(),
                       [](const RecordChange& c) { return c.slope != 0; });
  }
  /// Whether derived paths are those of `other`, of the same asset.
  bool is_same(const AssetPaths& other) const {
    return changes == other.changes && spot_ratio == other.spot_ratio &&
           (needed.log >= 0) == (other.needed.log >= 0) && record == other.record;
  }
  /// Whether logarithms, which are relative to S(0), differ from those in the market itself.
  bool has_other_log() const {
    return std::any_of(changes.begin(), changes.end(),
                       [](const RecordChange& c) { return c.slope != 0 || c.shift != 0; });
  }
};
using Kind = AssetPaths::Kind;

constexpr std::int32_t AssetRows::*members_of_rows[] = {
    &AssetRows::spot,    &AssetRows::log,      &AssetRows::maximum,
    &AssetRows::minimum, &AssetRows::variance, &AssetRows::instantaneous_variance};

class TilePlanner {
 public:
  TilePlanner(const GreekSimulations& simulations, PathLoop loop, Index derived_rows)
      : all_(simulations),
        has_variants_(loop == PathLoop::general || loop == PathLoop::none),
        derived_rows_(derived_rows) {}

  GreekTile plan() {
    tile_.base.assets = rows_needed(all_.base);
    next_row_ = row_count(tile_.base.assets);
    for (const PlannedAdjoint& adjoint : all_.adjoints)
      for (const auto* payoff : {&adjoint.payoff, &adjoint.control})
        for (const PlannedSweep& sweep : *payoff)
          if (sweep.reads_logs && !sweep.tangent) record_log(sweep.asset);
    for (const PlannedAdjoint& adjoint : all_.adjoints) {
      if (!adjoint.exercise) continue;
      for (const PlannedExercisedColumn& column : adjoint.exercise->columns)
        if (!column.tangent) record_log(column.asset);
    }
    add_tangents();
    for_all_points([&](std::size_t k, std::size_t p) {
      if (p == 0) {
        paths_.emplace_back();
        tile_.stencils.emplace_back();
      }
      paths_[k].push_back(classify(all_.points[k][p]));
    });
    for_all_points([&](std::size_t k, std::size_t p) { place_simulated(k, p); });
    const std::int32_t first_derived = next_row_;
    tile_.base.count = next_row_;
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      if (tile_.groups.empty() || !fits_in_group(k, first_derived)) begin_group(k, first_derived);
      place_stencil(k);
      tile_.groups.back().last = k + 1;
      tile_.base.count = std::max(tile_.base.count, next_row_);
    }
    for (std::size_t g = 0; g < placed_.size(); ++g)
      for (const Placed& placed : placed_[g])
        tile_.groups[g].derived.push_back(
            records_of(*placed.paths, tile_.base.assets[placed.asset], placed.rows));
    std::stable_sort(
        tile_.base.variants.begin(), tile_.base.variants.end(),
        [](const AssetVariant& a, const AssetVariant& b) { return a.asset < b.asset; });
    return std::move(tile_);
  }

 private:
  template <class Use>
  void for_all_points(const Use& use) {
    for (std::size_t k = 0; k < all_.points.size(); ++k)
      for (std::size_t p = 0; p < all_.points[k].size(); ++p) use(k, p);
  }

  void add_tangents() {
    tile_.base.tangents = all_.tangents;
    for (AssetTangent& t : tile_.base.tangents) {
      t.row = next_row_++;
      tile_.tangent_rows.push_back(t.row);
    }
    std::stable_sort(
        tile_.base.tangents.begin(), tile_.base.tangents.end(),
        [](const AssetTangent& a, const AssetTangent& b) { return a.asset < b.asset; });
  }

  /// Adds the logarithm of the spot of an asset in the market itself to the rows.
  void record_log(Index asset) {
    std::int32_t& row = tile_.base.assets[static_cast<std::size_t>(asset)].log;
    if (row < 0) row = next_row_++;
  }

  /// How the paths of a point are computed; logarithms from which paths are derived are recorded.
  std::vector<AssetPaths> classify(const Simulation& point) {
    const std::vector<Reads> reads = reads_of(point);
    const std::vector<AssetRows> needed = rows_needed(point);
    std::vector<AssetPaths> paths(reads.size());
    for (std::size_t a = 0; a < reads.size(); ++a) {
      const BumpedAsset asset(all_.base, point, a, reads[a].continuous);
      AssetPaths& of_asset = paths[a];
      of_asset.needed = needed[a];
      of_asset.record = reads[a].record;
      if (!reads[a].any || asset.is_same()) continue;
      auto changes = asset.changes();
      if (!changes && reads[a].alone && !reads[a].continuous)
        changes = asset.changes_of_distribution(all_records());
      of_asset.kind = changes ? Kind::derived : Kind::simulated;
      if (!changes) continue;
      of_asset.changes = *changes;
      of_asset.spot_ratio = asset.spot_ratio();
      if (of_asset.has_slope()) record_log(static_cast<Index>(a));
    }
    const bool is_any_simulated = std::any_of(
        paths.begin(), paths.end(), [](const AssetPaths& a) { return a.kind == Kind::simulated; });
    if (has_other_normals(all_.base, point) || (!has_variants_ && is_any_simulated))
      for (std::size_t a = 0; a < paths.size(); ++a)
        paths[a].kind = reads[a].any || !has_variants_ ? Kind::simulated : Kind::absent;
    return paths;
  }

  std::vector<Index> all_records() const {
    std::vector<Index> records(static_cast<std::size_t>(all_.base.grid.recorded_dates));
    std::iota(records.begin(), records.end(), Index{0});
    return records;
  }

  void place_simulated(std::size_t k, std::size_t p) {
    const Simulation& point = all_.points[k][p];
    PointRows rows{tile_.base.assets, false};
    for (std::size_t a = 0; a < rows.assets.size(); ++a) {
      const AssetPaths& paths = paths_[k][p][a];
      if (paths.kind == Kind::absent) rows.assets[a] = {};
      if (paths.kind != Kind::simulated) continue;
      rows.is_simulated = !has_variants_ || has_other_normals(all_.base, point);
      AssetRows own;
      AssetRows& of_paths = rows.is_simulated ? own : variant(point, a);
      for (const auto member : members_of_rows)
        if (paths.needed.*member >= 0 && of_paths.*member < 0) of_paths.*member = next_row_++;
      rows.assets[a] = of_paths;
    }
    tile_.stencils[k].points.push_back(std::move(rows));
  }

  /// The rows of an asset that is simulated in the market of `point`, without duplicates.
  AssetRows& variant(const Simulation& point, std::size_t a) {
    for (AssetVariant& v : tile_.base.variants)
      if (v.asset == static_cast<Index>(a) && v.simulation->grid.times == point.grid.times &&
          BumpedAsset(*v.simulation, point, a, false).is_same())
        return v.rows;
    tile_.base.variants.push_back({&point, static_cast<Index>(a), {}});
    return tile_.base.variants.back().rows;
  }

  /// An asset that is derived, in a group of stencils.
  struct Placed {
    std::size_t asset;
    const AssetPaths* paths;
    AssetRows rows;
  };

  void begin_group(std::size_t k, std::int32_t first_derived) {
    tile_.groups.push_back({k, k, {}});
    placed_.emplace_back();
    next_row_ = first_derived;
  }

  /// Whether the current group has room for the derived assets of stencil k, those that it has
  /// already included.
  bool fits_in_group(std::size_t k, std::int32_t first_derived) const {
    Index rows = next_row_ - first_derived;
    for (const std::vector<AssetPaths>& point : paths_[k])
      for (std::size_t a = 0; a < point.size(); ++a)
        if (point[a].kind == Kind::derived && find_placed(a, point[a]) == nullptr)
          rows += has_own_log(point[a]) ? 2 : 1;
    return rows <= derived_rows_;
  }

  static bool has_own_log(const AssetPaths& paths) {
    return paths.needed.log >= 0 && paths.has_other_log();
  }

  /// The same derived asset in the current group.
  const Placed* find_placed(std::size_t asset, const AssetPaths& paths) const {
    for (const Placed& p : placed_.back())
      if (p.asset == asset && p.paths->is_same(paths)) return &p;
    return nullptr;
  }

  void place_stencil(std::size_t k) {
    for (std::size_t p = 0; p < paths_[k].size(); ++p)
      for (std::size_t a = 0; a < paths_[k][p].size(); ++a) {
        const AssetPaths& paths = paths_[k][p][a];
        if (paths.kind != Kind::derived) continue;
        AssetRows& rows = tile_.stencils[k].points[p].assets[a];
        if (const Placed* same = find_placed(a, paths)) {
          rows = same->rows;
          continue;
        }
        rows.spot = next_row_++;
        if (has_own_log(paths)) rows.log = next_row_++;
        placed_.back().push_back({a, &paths, rows});
      }
  }

  std::vector<Derived> records_of(const AssetPaths& paths, const AssetRows& from,
                                  const AssetRows& to) const {
    std::vector<Derived> records;
    for (std::size_t r = 0; r < paths.changes.size(); ++r) {
      const RecordChange& change = paths.changes[r];
      const bool is_read = paths.record[r];
      if (!is_read && change.slope == 0) continue;
      Derived d{};
      d.spot = row(r, from.spot);
      d.log = row(r, from.log);
      d.last_log = r > 0 ? row(r - 1, from.log) : -1;
      d.to_spot = is_read ? row(r, to.spot) : -1;
      d.to_log = is_read && to.log != from.log ? row(r, to.log) : -1;
      d.slope = change.slope;
      d.scale = paths.spot_ratio * exponential(change.shift);
      d.shift = change.shift;
      if (!records.empty() && continues(records.back(), d)) {
        d.last_log = records.back().last_log;
        records.pop_back();
      }
      records.push_back(d);
    }
    return records;
  }

  /// Whether the steps of two records can be taken together.
  static bool continues(const Derived& first, const Derived& second) {
    return first.to_spot < 0 && first.slope != 0 && second.last_log == first.log &&
           is_near(first.slope, second.slope, slope_rounding);
  }

  std::int32_t row(std::size_t record, std::int32_t row_of_record) const {
    return static_cast<std::int32_t>(record) * tile_.base.count + row_of_record;
  }

  const GreekSimulations& all_;
  bool has_variants_;  ///< or bumped markets have simulations of their own
  Index derived_rows_;
  std::vector<std::vector<Placed>> placed_;  ///< [group]
  GreekTile tile_;
  std::vector<std::vector<std::vector<AssetPaths>>> paths_;  ///< [stencil][point][asset]
  std::int32_t next_row_ = 0;
};

}  // namespace

GreekTile plan_greek_tile(const GreekSimulations& simulations, PathLoop loop, Index derived_rows) {
  return TilePlanner(simulations, loop, derived_rows).plan();
}

}  // namespace gsim::pricing
