#pragma once
// Cubics looked up in tables whose rows hold all coefficients of an interval.

#include "kernels/md/cluster_lanes.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

/// Numbers a row of `Cubics` cubics takes: a power of two.
template <int Cubics>
inline constexpr int spline_row = Cubics <= 1   ? 4
                                  : Cubics <= 2 ? 8
                                                : 16;

/// c[s] = {c3, c2, c1, c0} of cubic s of each lane's row.
template <int Cubics, class T, int W>
GSIM_HD void load_spline_rows(const T* table, Pack<std::int32_t, W> row,
                              Pack<T, W> (&c)[Cubics][4]) {
  const auto first = row * Pack<std::int32_t, W>(spline_row<Cubics>);
  for (int s = 0; s < Cubics; ++s)
    for (int k = 0; k < 4; ++k) c[s][k] = gather(table + 4 * s + k, first);
}

/// ((c3 t + c2) t + c1) t + c0 and its derivative, by Horner's scheme for both.
template <Real R>
GSIM_HD void cubic(const R* c, R t, R& value, R& slope) {
  const R a = fma(c[0], t, c[1]), b = fma(a, t, c[2]);
  value = fma(b, t, c[3]);
  slope = fma(fma(c[0], t, a), t, b);
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
