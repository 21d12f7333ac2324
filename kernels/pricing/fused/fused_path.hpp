#pragma once
// How the loop of fused/sample_fused.hpp advances a path of its asset: by the model of the loop for
// one asset, whose state is in registers, or by the functions of the general loop, which also draw
// jumps and extremes.

#include "gsim/pricing/simulate_path.hpp"
#include "kernels/pricing/path_models/dispatch.hpp"
#include "kernels/pricing/paths/simulate.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Number of samples that a thread simulates at the same time, so that it uses constants and tables
/// for several paths.
template <class Model>
GSIM_HD constexpr int samples_per_thread() {
  if constexpr (requires { Model::samples_per_thread; })
    return Model::samples_per_thread;
  else
    return 1;
}

/// A path without jumps and extremes of a scheme with a loop for one asset.
template <class Policy, class T, StepScheme scheme>
struct PlainPath {
  using Model = typename SchemeOf<scheme>::template OneAsset<Policy, T, T>;
  using State = typename Model::State;
  static constexpr int normals = Model::normals, samples = samples_per_thread<Model>();
  static constexpr bool has_extremes = false;
  const AssetTable<T>* asset;
  Model model;

  GSIM_HD PlainPath(const PathTable<T>&, const AssetTable<T>& a) : asset(&a), model(a) {}
  GSIM_HD State start() const { return model.start(); }
  /// Moves the path over step k by the normals z of the step.
  GSIM_HD void step(Index k, State& state, const T (&z)[normals], std::uint64_t /*sample*/,
                    bool is_antithetic) const {
    const ModelStreams streams{};
    ModelDraws<Policy, T, normals> draws{{}, &streams, 0, k, is_antithetic};
    for (int i = 0; i < normals; ++i) draws.z[i] = z[i];
    model.step(k, state, draws);
  }
  GSIM_HD T log_spot(const State& state) const { return model.log_spot(state); }
  GSIM_HD T spot(T log_spot) const {
    return asset->spot * (Model::bounded ? exp_bounded<Policy>(log_spot) : exp<Policy>(log_spot));
  }
  /// The path-dependent part of the logarithm of the likelihood ratio of tilted jumps.
  GSIM_HD T log_ratio(const State&) const { return T(0); }
};

/// A path of any scheme with jumps and extremes.
template <class Policy, class T, StepScheme scheme>
struct GeneralPath {
  struct State {
    AssetState<T> asset;
    T log_ratio;
  };
  static constexpr int normals = SchemeOf<scheme>::normals, samples = 1;
  static constexpr bool has_extremes = true;
  const PathTable<T>* paths;
  const AssetTable<T>* asset;

  GSIM_HD GeneralPath(const PathTable<T>& p, const AssetTable<T>& a) : paths(&p), asset(&a) {}
  GSIM_HD State start() const { return {{T(0), asset->v0, T(0), T(0)}, T(0)}; }
  GSIM_HD void step(Index k, State& state, const T (&z)[normals], std::uint64_t sample,
                    bool is_antithetic) const {
    if (k >= paths->steps) return;  // the last group may be incomplete
    const StepDraws<T, Policy, T, false> draws{paths, sample, k, 0, is_antithetic};
    const auto move = [&]() __attribute__((always_inline)) {
      return SchemeOf<scheme>::template step<Policy>(*asset, k, z[0] * paths->correlation[0],
                                                     normals > 1 ? z[normals - 1] : T(0),
                                                     state.asset);
    };
    advance<Policy>(*asset, draws, move, state.asset, state.log_ratio);
  }
  GSIM_HD T log_spot(const State& state) const { return state.asset.x; }
  GSIM_HD T spot(T log_spot) const {
    return asset->spot * (asset->bounded ? exp_bounded<Policy>(log_spot) : exp<Policy>(log_spot));
  }
  GSIM_HD T log_ratio(const State& state) const { return state.log_ratio; }
  /// The extremes since the last record, and their start at a record.
  GSIM_HD T maximum(const State& state) const { return state.asset.maximum; }
  GSIM_HD T minimum(const State& state) const { return state.asset.minimum; }
  GSIM_HD void start_extremes(State& state) const {
    state.asset.maximum = state.asset.minimum = state.asset.x;
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
