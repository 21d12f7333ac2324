#include "src/modules/pricing/paths/path_tables.hpp"

#include <algorithm>
#include <functional>

#include "gsim/core/error.hpp"
#include "gsim/random/brownian_bridge.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/sobol_directions.hpp"
#include "gsim/random/stream.hpp"
#include "kernels/pricing/path_models/dispatch.hpp"
#include "kernels/pricing/payoffs/dispatch.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

bool reads_log_spots(const TradeSetup& trade) {
  using Control = TradeSetup::Control;
  return reads_logs(trade.payoff) || trade.combination == Combination::geometric ||
         (trade.kind != nullptr && trade.kind->reads_logs) ||
         trade.control == Control::asian_geometric || trade.control == Control::basket_geometric;
}

void check_simulation(const Simulation& simulation) {
  const auto& grid = simulation.grid;
  GSIM_VALIDATE(!simulation.assets.empty() && !grid.times.empty(),
                "a simulation without assets or dates", "give at least one of each");
  for (const AssetDynamics& a : simulation.assets)
    GSIM_VALIDATE(!simulation.conditional || a.has_own_variance,
                  "conditional sampling of an asset without stochastic variance",
                  "use model heston or bates");
  for (const AssetDynamics& a : simulation.assets)
    GSIM_EXPECT(a.scheme == StepScheme::launched || a.normals == normals_per_step(a.scheme));
  GSIM_VALIDATE(simulation.block_samples > 0 && simulation.block_samples % 64 == 0,
                "block_samples is not a positive multiple of 64", "use 4096");
  GSIM_VALIDATE(grid.record_of_step.size() == grid.times.size(),
                "record_of_step has another length than times", "give one entry per step");
  const std::size_t n = simulation.assets.size();
  GSIM_VALIDATE(simulation.sampling == Sampling::pseudo_random || simulation.replicates >= 1,
                "Sobol sampling without replicates", "use at least one");
  GSIM_VALIDATE(simulation.factor.size() == n * n, "the correlation factor is not n x n",
                "give one row per asset");
}

/// Whether the scheme of the only asset of a simulation has a loop of its own for one asset
/// (PathLoop::one_asset), and that loop supports the asset.
template <class T>
bool has_one_asset_loop(const AssetDynamics& dynamics, const AssetTable<T>& asset) {
  bool found = false;
  with_scheme(dynamics.scheme, [&](auto scheme) {
    if constexpr (HasOneAssetLoop<decltype(scheme)>) {
      using Model = typename decltype(scheme)::template OneAsset<Strict, T, T>;
      found = !dynamics.has_jumps && (asset.bounded || !Model::bounded);
    }
  });
  return found;
}

/// The fastest loop that supports the simulation.
template <class T>
PathLoop choose_loop(const Simulation& s, const std::vector<AssetTable<T>>& assets) {
  const auto all = [&](auto holds) { return std::all_of(assets.begin(), assets.end(), holds); };
  const auto launched = [](const auto& a) { return a.scheme == StepScheme::launched; };
  if (all(launched)) return PathLoop::none;
  if (!all(std::not_fn(launched))) return PathLoop::general;
  if (!all([](const auto& a) {
        return a.rows.maximum < 0 && a.rows.minimum < 0 && a.rows.variance < 0;
      }))
    return PathLoop::general;
  const bool one_asset = assets.size() == 1 && s.factor[0] == 1.0;
  if (all([](const auto& a) { return a.scheme == StepScheme::black_scholes && a.bounded; }) &&
      s.grid.times.size() == 1 && s.grid.record_of_step[0] == 0 &&
      s.sampling == Sampling::pseudo_random && s.tilt.empty() && !s.is_nested &&
      assets.size() <= std::size_t{one_step_assets} && (one_asset || assets.size() > 1))
    return PathLoop::one_step;
  return one_asset && has_one_asset_loop(s.assets[0], assets[0]) ? PathLoop::one_asset
                                                                 : PathLoop::general;
}

/// Means of the tilted normals; the tables of the assets hold the tilted distributions of jumps.
template <class T>
void pack_tilt(TablePacker& packer, const Simulation& s, PathTable<T>& table) {
  GSIM_VALIDATE(static_cast<Index>(s.tilt.size()) == table.steps * table.factors && !s.antithetic,
                "importance sampling with a tilt that does not fit the paths",
                "give one number per step and factor, without antithetic sampling");
  double square = 0;
  for (const double mu : s.tilt) {
    const auto rounded = static_cast<double>(static_cast<T>(mu));
    square += rounded * rounded;
  }
  double constant = -0.5 * square;
  for (std::size_t a = 0; a < s.assets.size(); ++a)
    constant += jump_log_ratio_constant<T>(s, static_cast<Index>(a));
  table.tilt = packer.add_rounded<T>(s.tilt);
  table.log_ratio_constant = static_cast<T>(constant);
}

/// Fills `table` but for what belongs to the assets.
template <class T>
void pack_draws(TablePacker& packer, const Simulation& s, PathTable<T>& table) {
  const auto key = [&](Purpose purpose) { return stream_key({s.seed, purpose}); };
  table.normals = key(Purpose::pricing_path_normals);
  table.jump_count = key(Purpose::pricing_jump_count);
  table.jump_size = key(Purpose::pricing_jump_size);
  table.bridge = key(Purpose::pricing_bridge);
  if (table.stored_normals) table.sobol = pack_sobol<T>(packer, s, table.factors);
  table.prepares_normals = table.stored_normals || !s.tilt.empty() || s.is_nested;
  if (!s.tilt.empty()) pack_tilt(packer, s, table);
}

/// Fills `table`; every pointer comes from the packer.
template <class T>
void pack_paths(TablePacker& packer, const Simulation& s, const TileRows& tile, PathTable<T>& table,
                std::vector<LaunchedModel<T>>& models) {
  table.steps = static_cast<Index>(s.grid.times.size());
  std::vector<std::int32_t> records(s.grid.record_of_step.begin(), s.grid.record_of_step.end());
  table.record_of_step = packer.add(records);
  table.correlation = packer.add_rounded<T>(s.factor);
  table.stored_normals = s.sampling == Sampling::sobol;
  table.factors = table.assets;
  std::vector<AssetTable<T>> assets;  // without variants
  std::vector<Index> first_further;   // per asset, the index of its second normal
  for (std::size_t a = 0; a < s.assets.size(); ++a) {
    first_further.push_back(table.factors);
    table.factors += static_cast<std::int32_t>(further_normals(s.assets[a]));
    assets.push_back(pack_asset<T>(packer, s, static_cast<Index>(a), tile.assets[a],
                                   further_normals(s.assets[a]) > 0 ? first_further[a] : -1));
  }
  table.loop = choose_loop(s, assets);
  table.scheme = s.assets[0].scheme;
  pack_draws(packer, s, table);
  std::vector<AssetTable<T>> simulated;
  std::vector<std::pair<const Simulation*, std::size_t>> launched;  // positions in `simulated`
  const auto add = [&](const Simulation& market, const AssetTable<T>& asset) {
    if (asset.scheme == StepScheme::launched) launched.push_back({&market, simulated.size()});
    simulated.push_back(asset);
  };
  auto variant = tile.variants.begin();
  Index tangents = 0;
  for (std::size_t a = 0; a < assets.size(); ++a) {
    const bool is_unused = table.loop == PathLoop::general && !s.unused.empty() && s.unused[a] != 0;
    if (tile.assets[a].spot < 0 || is_unused) continue;
    pack_tangents(packer, tile.tangents, tangents, static_cast<Index>(a), assets[a]);
    add(s, assets[a]);
    for (; variant != tile.variants.end() && variant->asset == static_cast<Index>(a); ++variant)
      add(*variant->simulation, pack_asset<T>(packer, *variant->simulation, variant->asset,
                                              variant->rows, assets[a].second_normal));
  }
  GSIM_EXPECT(variant == tile.variants.end());
  GSIM_EXPECT(tangents == static_cast<Index>(tile.tangents.size()));
  GSIM_EXPECT(tangents == 0 || table.loop == PathLoop::general);
  table.tangents = static_cast<std::int32_t>(tangents);
  GSIM_EXPECT(tile.variants.empty() || table.loop == PathLoop::general ||
              table.loop == PathLoop::none);
  table.asset = packer.add(simulated);
  table.simulated = static_cast<std::int32_t>(simulated.size());
  models.clear();
  for (const auto& [market, i] : launched) {
    const auto a = static_cast<std::size_t>(simulated[i].driver);
    const Index shared = market->assets[a].further_normals_of;
    const Index further = first_further[shared >= 0 ? static_cast<std::size_t>(shared) : a];
    models.push_back(
        pack_model<T>(packer, *market, simulated[i].driver, table, simulated[i], further));
  }
}

/// Returns the address of the trades; every pointer comes from the packer.
template <class T>
const TradeView<T>* pack_trades(TablePacker& packer, const Simulation& s,
                                std::vector<LaunchedTrade<T>>& launched,
                                std::vector<std::vector<LaunchedValue<T>>>& values) {
  std::vector<TradeView<T>> trades;
  launched.clear();
  values.clear();
  for (const auto& trade : s.trades) {
    if (trade.exercise != nullptr || trade.payoff == PayoffFormula::launched) {
      values.emplace_back();
      launched.push_back(trade.exercise != nullptr
                             ? pack_exercise<T>(packer, s, trade, values.back())
                             : pack_launched<T>(packer, trade, s.arithmetic));
      if (!values.back().empty()) launched.back().exercise_job.launched = values.back().data();
      launched.back().position = static_cast<Index>(trades.size());
    }
    trades.push_back(pack_trade<T>(packer, s, trade));
    if (trade.exercise != nullptr) trades.back().payoff.formula = PayoffFormula::launched;
    if (trade.control == TradeSetup::Control::at_exercise)
      trades.back().control.formula = PayoffFormula::launched;
  }
  return packer.add(trades);
}

}  // namespace

template <class T>
SobolTable<T> pack_sobol(TablePacker& packer, const Simulation& s, Index factors) {
  SobolTable<T> table{};
  table.steps = static_cast<Index>(s.grid.times.size());
  table.factors = factors;
  table.dimensions = table.steps * factors;
  table.replicates = s.replicates;
  table.block_samples = s.block_samples;
  table.bridge = s.brownian_bridge;
  table.directions = packer.add(SobolDirections(table.dimensions).reversed());
  const PhiloxKey key = stream_key({s.seed, Purpose::pricing_scramble});
  std::vector<SobolSeed> seeds;
  for (Index r = 0; r < s.replicates; ++r) {
    for (Index d = 0; d < table.dimensions; ++d) {
      const auto seed =
          scramble_seed(key, static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(d));
      seeds.push_back({seed.add, seed.multiply});
    }
  }
  table.seeds = packer.add(seeds);
  const BridgeOrder order = bridge_order(table.steps);
  const BridgeWeights weights = bridge_weights(order, s.grid.times);
  table.left = packer.add(order.left);
  table.right = packer.add(order.right);
  table.middle = packer.add(order.middle);
  table.weight_left = packer.add_rounded<T>(weights.left);
  table.weight_right = packer.add_rounded<T>(weights.right);
  table.weight_sd = packer.add_rounded<T>(weights.sd);
  std::vector<double> inverse;
  double last = 0;
  for (const double time : s.grid.times) {
    inverse.push_back(1 / sqrt(time - last));
    last = time;
  }
  table.inverse_root_dt = packer.add_rounded<T>(inverse);
  return table;
}

template SobolTable<double> pack_sobol(TablePacker&, const Simulation&, Index);

std::int32_t row_count(const std::vector<AssetRows>& rows) {
  std::int32_t count = 0;
  for (const AssetRows& r : rows)
    count = std::max({count, r.spot + 1, r.log + 1, r.maximum + 1, r.minimum + 1, r.variance + 1,
                      r.instantaneous_variance + 1});
  return count;
}

std::vector<AssetRows> rows_needed(const Simulation& simulation) {
  struct Need {
    bool log = false, maximum = false, minimum = false, variance = false;
  };
  std::vector<Need> needs(simulation.assets.size());
  for (std::size_t a = 0; a < needs.size(); ++a) {
    needs[a].maximum = simulation.assets[a].need_maximum;
    needs[a].minimum = simulation.assets[a].need_minimum;
  }
  for (const auto& trade : simulation.trades) {
    for (const Index a : trade.assets) {
      Need& need = needs[static_cast<std::size_t>(a)];
      need.log |= reads_log_spots(trade);
      if (trade.exercise != nullptr)
        for (const Index v : trade.exercise->variables.variances) need.variance |= v == a;
      if (!trade.continuous) continue;
      need.maximum |= trade.monitored == Extreme::maximum;
      need.minimum |= trade.monitored == Extreme::minimum;
    }
  }
  std::vector<AssetRows> rows(needs.size());
  std::int32_t next = 0;
  for (std::size_t a = 0; a < needs.size(); ++a) {
    rows[a].spot = next++;
    if (needs[a].log) rows[a].log = next++;
    if (needs[a].maximum) rows[a].maximum = next++;
    if (needs[a].minimum) rows[a].minimum = next++;
    if (simulation.conditional) rows[a].variance = next++;
    if (needs[a].variance) rows[a].instantaneous_variance = next++;
  }
  return rows;
}

template <class T>
void PathTables<T>::pack(TablePacker& packer, const Simulation& simulation, const TileRows& rows) {
  check_simulation(simulation);
  paths_.records = simulation.grid.recorded_dates;
  paths_.assets = static_cast<std::int32_t>(simulation.assets.size());
  paths_.paths_per_sample = simulation.antithetic ? 2 : 1;
  paths_.rows = rows.count;
  paths_.asset_rows = packer.add(rows.assets);
  if (rows.are_simulated) pack_paths(packer, simulation, rows, paths_, models_);
  trades_ = pack_trades(packer, simulation, launched_, values_);
}

template <class T>
PathTables<T>::PathTables(Executor executor, const Simulation& simulation, bool keeps_image,
                          const TileRows* rows)
    : memory_(executor, 0) {
  TileRows needed;
  if (rows == nullptr) {
    needed.assets = rows_needed(simulation);
    needed.count = row_count(needed.assets);
    rows = &needed;
  }
  std::vector<std::byte> image =
      pack_in(memory_, [&](TablePacker& packer) { pack(packer, simulation, *rows); });
  if (keeps_image) image_ = std::move(image);
}

template class PathTables<double>;
template class PathTables<float>;

}  // namespace gsim::pricing
