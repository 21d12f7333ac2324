#pragma once
// What the histories of a kernel can do. Code for what a run does not use would need registers and
// a stack on a device, so that kernels are compiled for several sets of features. On the host one
// set has all of them.

#include "kernels/transport/geometry/coordinates.hpp"

namespace gsim::transport {

/// A feature that is absent is not compiled; one that is present is used where a run needs it.
struct HistoryFeatures {
  bool surface_tracking = true;
  bool delta_tracking = true;
  bool times = true;        ///< particles have times
  bool tallies = true;      ///< all estimators but next_event
  bool secondaries = true;  ///< fission neutrons are transported in the same batch
  /// Domains, passes of a limited number of flights, weight windows, importances, forced
  /// collisions, the exponential transform, point detectors, recorded surface crossings, replays.
  bool others = true;
  /// Largest number of levels of nested universes that is stored. Delta tracking needs the root
  /// alone where no tally uses cells or surface crossings, and with no others.
  int levels = max_levels;
};

/// The sets of features of kernels on a device. All but the general ones are kernels for simple
/// geometries and tallies (geometry/simple_kernel.hpp).
struct PlainSurfaceHistories {
  static constexpr HistoryFeatures features{true, false, false, false, false, false, max_levels};
};
struct PlainDeltaHistories {
  static constexpr HistoryFeatures features{false, true, false, false, false, false, 1};
};
struct TalliedSurfaceHistories {
  static constexpr HistoryFeatures features{true, false, true, true, true, false, max_levels};
};
struct TalliedDeltaHistories {
  static constexpr HistoryFeatures features{false, true, true, true, true, false, 1};
};
struct GeneralSurfaceHistories {
  static constexpr HistoryFeatures features{true, false, true, true, true, true, max_levels};
};
struct GeneralDeltaHistories {
  static constexpr HistoryFeatures features{false, true, true, true, true, true, max_levels};
};

}  // namespace gsim::transport
