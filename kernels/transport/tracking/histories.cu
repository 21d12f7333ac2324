#include "kernels/transport/tracking/run_histories.hpp"

#if !defined(__CUDACC__)

GSIM_DEFINE_LAUNCHER(transport_histories, transport::HistoriesArgs) {
  transport_kernels::run_histories(executor, args);
}

#else

#include "kernels/transport/tracking/device/launch_histories.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Whether a pass uses any of HistoryFeatures::others.
inline bool uses_other_features(const HistoriesArgs& args) {
  const transport::VarianceReductionView& v = args.variance_reduction;
  return args.rules.flights_per_pass > 0 || args.domains.cuts.size > 0 ||
         v.windows.lower.size > 0 || v.importance.size > 0 || v.biases.size > 0 ||
         args.tallies.detectors.size > 0 || args.recorded.sides.size > 0 ||
         args.replay != transport::Replay::none;
}

/// Whether tallies of delta tracking use the levels of universes (HistoryFeatures::levels).
inline bool tallies_use_levels(const HistoriesArgs& args) {
  constexpr int crossing = static_cast<int>(transport::TallyEstimator::crossing);
  return args.tally_sinks != nullptr &&
         (args.tallies.needs_levels != 0 || args.tallies.tallies_of_estimator[crossing] != 0);
}

/// Whether the kernels for simple geometries and tallies (is_simple_kernel) can run a pass.
inline bool is_simple(const HistoriesArgs& args) {
  return args.geometry.is_simple != 0 &&
         (args.tally_sinks == nullptr || args.tallies.has_cylinders == 0);
}

/// Transports the particles of a pass with the kernel that has no more features than it needs.
inline void select_and_launch_histories(const Executor& executor, const HistoriesArgs& args) {
  const bool is_surface = args.rules.tracking == transport::Tracking::surface;
  if (!is_simple(args) || uses_other_features(args) || (!is_surface && tallies_use_levels(args)))
    return is_surface ? launch_histories<transport::GeneralSurfaceHistories>(executor, args)
                      : launch_histories<transport::GeneralDeltaHistories>(executor, args);
  if (args.tally_sinks != nullptr || args.rules.is_timed != 0 ||
      args.rules.fission == transport::Fission::same_batch)
    return is_surface ? launch_histories<transport::TalliedSurfaceHistories>(executor, args)
                      : launch_histories<transport::TalliedDeltaHistories>(executor, args);
  return is_surface ? launch_histories<transport::PlainSurfaceHistories>(executor, args)
                    : launch_histories<transport::PlainDeltaHistories>(executor, args);
}

/// Prepares DevicePasses::lists[p] and, for p = 0, the lists of all passes.
struct BeginPass {
  transport::BeginPassesArgs args;
  GSIM_HD void operator()(Index p) const {
    transport::DevicePasses& state = *args.state;
    state.lists[p] = p == 0 ? args.before : args.empty[(p - 1) % 2];
    if (p != 0 || args.is_first == 0) return;
    state.scores = transport::HistoryScores{};
    state.fission_sites = args.fission_sites;
    state.crossings = args.crossings;
    state.departures = args.departures;
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(transport_histories, transport::HistoriesArgs) {
  transport_kernels::select_and_launch_histories(executor, args);
}
GSIM_DEFINE_LAUNCHER(transport_begin_passes, transport::BeginPassesArgs) {
  launch(executor, "begin_passes", args.passes + 1, transport_kernels::BeginPass{args});
}

#endif
