#pragma once
// Converts a Simulation to the plain tables of kernels/pricing/job.hpp, in one allocation of
// executor memory.

#include <utility>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/pricing/job.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// The paths of an asset in another market: they have the random numbers of the asset with the same
/// index, and are written to `rows`.
struct AssetVariant {
  const Simulation* simulation = nullptr;
  Index asset = 0;
  AssetRows rows;
};

/// The derivative of an asset's log-spot along its paths with respect to a quantity of the market
/// (PathTangent), written to row `row`. A step has the derivative `deviation` of its deviation at
/// all spots, or those of `deviations` at the points of the local-volatility grid if there are any.
struct AssetTangent {
  Index asset = 0;
  double start = 0;
  std::vector<double> drift, deviation;         ///< [step]
  std::vector<std::vector<double>> deviations;  ///< [step][point], or empty for a step
  std::int32_t row = -1;
};

/// A tile that has further rows besides those of the simulation's assets.
struct TileRows {
  /// The rows to which the simulation's assets are written. With several assets, one without rows
  /// is not simulated; the others have the same random numbers as with it (PathLoop::general).
  std::vector<AssetRows> assets;
  std::int32_t count = 0;  ///< rows of a record
  /// Simulated together with the assets, in the order of these: for PathLoop::general and none.
  std::vector<AssetVariant> variants;
  std::vector<AssetTangent> tangents;  ///< in the order of the assets, for PathLoop::general
  /// Otherwise other tables simulate the paths, and these hold the trades alone.
  bool are_simulated = true;
};

/// Copies vectors contiguously into an image of executor memory and returns the address of each
/// there. It is run once without a base address to compute the size, then again with it.
class TablePacker {
 public:
  explicit TablePacker(std::byte* base) : base_(base) {}

  template <class T>
  const T* add(const std::vector<T>& values) {
    const std::size_t at = (image_.size() + alignment - 1) / alignment * alignment;
    image_.resize(at + values.size() * sizeof(T));
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    std::copy(bytes, bytes + values.size() * sizeof(T), image_.begin() + static_cast<Index>(at));
    return reinterpret_cast<const T*>(base_ + at);
  }
  /// Packs `values` rounded to T.
  template <class T>
  const T* add_rounded(const std::vector<double>& values) {
    return add(std::vector<T>(values.begin(), values.end()));
  }
  const std::vector<std::byte>& image() const { return image_; }
  std::vector<std::byte> take_image() { return std::move(image_); }

 private:
  static constexpr std::size_t alignment = 64;
  std::byte* base_;
  std::vector<std::byte> image_;
};

/// Copies what `pack` packs to `memory`; returns the image of it.
template <class Pack>
std::vector<std::byte> pack_in(Array<std::byte>& memory, const Pack& pack) {
  TablePacker measure(nullptr);  // determines the size of the memory
  pack(measure);
  memory.resize_uninitialised(static_cast<Index>(measure.image().size()));
  TablePacker packer(memory.view().data);
  pack(packer);
  memory.assign(packer.image());
  return packer.take_image();
}

/// Tables of one simulation in path type T (double or float), in an executor's memory. Throws
/// InputError if kernels cannot run the simulation.
template <class T>
class PathTables {
 public:
  /// With `keeps_image` the tables can also be read on the host. Without `rows` the tile holds the
  /// rows that the trades read (rows_needed()).
  PathTables(Executor executor, const Simulation& simulation, bool keeps_image = false,
             const TileRows* rows = nullptr);
  /// Tables that pack() puts into memory of others.
  explicit PathTables(Executor executor) : memory_(std::move(executor), 0) {}
  void pack(TablePacker& packer, const Simulation& simulation, const TileRows& rows);

  const PathTable<T>& paths() const { return paths_; }
  const TradeView<T>* trades() const { return trades_; }
  bool keeps_image() const { return !image_.empty(); }
  /// The address in the host's image of what is at an address in the executor's memory.
  template <class Value>
  const Value* on_host(const Value* at) const {
    const auto offset = reinterpret_cast<const std::byte*>(at) - memory_.view().data;
    return reinterpret_cast<const Value*>(image_.data() + offset);
  }
  /// Trades whose payoffs have launchers; `position` is the index of the trade.
  const std::vector<LaunchedTrade<T>>& launched() const { return launched_; }
  /// Assets whose path models have launchers.
  const std::vector<LaunchedModel<T>>& models() const { return models_; }
  /// Memory held, bytes.
  double bytes() const { return static_cast<double>(memory_.size()); }

 private:
  Array<std::byte> memory_;
  std::vector<std::byte> image_;  ///< a copy of memory_, if it is kept
  PathTable<T> paths_{};
  const TradeView<T>* trades_ = nullptr;
  std::vector<LaunchedTrade<T>> launched_;
  std::vector<std::vector<LaunchedValue<T>>> values_;  ///< of `launched_`, [trade][date]
  std::vector<LaunchedModel<T>> models_;
};

/// Tables of the assets' dynamics (asset_tables.cpp). `second_normal` is the index of the asset's
/// second normal among the factors, or -1.
template <class T>
AssetTable<T> pack_asset(TablePacker& packer, const Simulation& simulation, Index asset,
                         const AssetRows& rows, Index second_normal);

/// The tangents of one asset, from `first` on, which have rows; `first` becomes the number of those
/// before the next asset.
template <class T>
void pack_tangents(TablePacker& packer, const std::vector<AssetTangent>& tangents, Index& first,
                   Index asset, AssetTable<T>& table);

/// Root mean square over every step of the local volatility at the points of an asset's grid,
/// [step][point].
std::vector<double> local_volatility_of_steps(const AssetDynamics& asset,
                                              const std::vector<double>& times);

/// Sobol directions, scrambling seeds and bridge for the steps of the grid, with `factors` normals
/// each; the bridge of every factor uses calendar time.
template <class T>
SobolTable<T> pack_sobol(TablePacker& packer, const Simulation& simulation, Index factors);

/// The part of the logarithm of the likelihood ratio of an asset's tilted jumps that is the same
/// for all paths: jump_intensity (E[e^(theta J)] - 1) dt summed over all steps; 0 without tilted
/// jumps.
template <class T>
double jump_log_ratio_constant(const Simulation& simulation, Index asset);

/// The data for a path model with launchers, from the finished path tables; `first_further` is the
/// index, among the factors, of the second of the asset's normals per step.
template <class T>
LaunchedModel<T> pack_model(TablePacker& packer, const Simulation& simulation, Index asset,
                            const PathTable<T>& paths, const AssetTable<T>& table,
                            Index first_further);

/// The control variate of a trade, written as a payoff (trade_tables.cpp).
TradeSetup control_payoff(const TradeSetup& trade);

/// A trade's payoff and control.
template <class T>
TradeView<T> pack_trade(TablePacker& packer, const Simulation& simulation, const TradeSetup& trade);

/// The data for a payoff with launchers; the position is not set.
template <class T>
LaunchedTrade<T> pack_launched(TablePacker& packer, const TradeSetup& trade, Arithmetic arithmetic);

/// The data for a trade with early exercise (exercise_tables.cpp); the position is not set.
/// `values` becomes what ExerciseJob::launched is to point to; if it is empty, that is null.
template <class T>
LaunchedTrade<T> pack_exercise(TablePacker& packer, const Simulation& simulation,
                               const TradeSetup& trade, std::vector<LaunchedValue<T>>& values);

/// The rows that each asset writes at a record: those that some trade reads.
std::vector<AssetRows> rows_needed(const Simulation& simulation);
/// The number of rows of a record.
std::int32_t row_count(const std::vector<AssetRows>& rows);

}  // namespace gsim::pricing
