#pragma once
// Paths of an asset in a bumped market, computed from those in the market itself.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/greeks/greeks_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Computes the paths of a group; `paths` is the first row of the tile at the first of them.
template <class Policy, class P, class T>
GSIM_HD void derive_paths(const DerivedAsset<T>& asset, T* paths, Index stride) {
  P change(T(0)), factor(T(1));  // w and e^w of DerivedRecord
  bool is_current = true;        // whether `factor` follows from `change`
  for (Index r = 0; r < asset.records; ++r) {
    const DerivedRecord<T>& d = asset.record[r];
    if (d.slope != T(0)) {
      P step = load<P>(paths + d.log * stride);
      if (d.last_log >= 0) step = step - load<P>(paths + d.last_log * stride);
      change = fma(P(d.slope), step, change);
      is_current = false;
    }
    if (d.to_spot >= 0) {
      if (!is_current) factor = exp<Policy>(change);
      is_current = true;
      store(paths + d.to_spot * stride, load<P>(paths + d.spot * stride) * (P(d.scale) * factor));
    }
    if (d.to_log >= 0)
      store(paths + d.to_log * stride, load<P>(paths + d.log * stride) + (change + P(d.shift)));
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
