#pragma once
// The operations of move_one.hpp on blocks of as many particles as a vector register has lanes.
// Three registers hold x y z x y z …, in the order of memory. The results have the same bits as
// those of move_one.hpp. Host only.

#include "kernels/md/integrators/move_one.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

/// The integer nearest to x (ties to even), for |x| < 2^61.
template <int W>
GSIM_HD Pack<std::int64_t, W> nearest_integer(Pack<double, W> x) {
#if defined(GSIM_AVX512)
  return convert<std::int64_t>(round_even(x));
#else
  // Conversion by adding 1.5 2^52 is exact up to 2^51 only, so x is converted in two parts: a
  // multiple of 2^31, and the rest.
  constexpr double rounder = 0x1.8p52;
  const Pack<double, W> high = round_even(x * Pack<double, W>(0x1p-31));
  const Pack<double, W> low = fma(high, Pack<double, W>(-0x1p31), x);
  const auto integer = [](Pack<double, W> a) {
    return bit_cast_to<std::int64_t>(a + Pack<double, W>(rounder)) -
           Pack<std::int64_t, W>(bit_cast_to<std::int64_t>(rounder));
  };
  return (integer(high) << 31) + integer(low);
#endif
}

/// Blocks of particles in an orthogonal box that is periodic along each axis.
struct MoveBlock {
  static constexpr int width = native_lanes<double>();
  using R = Pack<double, width>;
  using N = Pack<std::int64_t, width>;
  using U = Pack<std::uint64_t, width>;

  /// Register k (0 … 2) of the pattern x y z x y z … of one value for each axis.
  static GSIM_HD R repeat_axes(const double* xyz, int k) {
    double lanes[width];
    for (int l = 0; l < width; ++l) lanes[l] = xyz[(k * width + l) % 3];
    return load<R>(lanes);
  }

  /// The three registers that hold table[type] of each particle three times.
  static GSIM_HD void spread_by_class(View<const double> table, const std::int32_t* type, R* to) {
    if (table.size == 1) {
      for (int k = 0; k < 3; ++k) to[k] = R(table[0]);
      return;
    }
    double lanes[3 * width];
    for (int l = 0; l < width; ++l)
      lanes[3 * l] = lanes[3 * l + 1] = lanes[3 * l + 2] = table[type[l]];
    for (int k = 0; k < 3; ++k) to[k] = load<R>(lanes + k * width);
  }

  /// drift_one() for particles [first, first + width).
  static GSIM_HD void drift(const md::MovingParticles& p, Index first, const R* move,
                            const bool* periodic, md::Faults* faults) {
    constexpr double eighth_of_range = 2305843009213693952.0;  // 2^61
    auto is_small = abs(move[0]) < R(eighth_of_range);
    for (int k = 1; k < 3; ++k) is_small = is_small & (abs(move[k]) < R(eighth_of_range));
    if (!all(is_small)) {
      double lanes[3 * width];
      for (int k = 0; k < 3; ++k) store(lanes + k * width, move[k]);
      for (int l = 0; l < width; ++l) drift_one(p, first + l, lanes + 3 * l, periodic, faults);
      return;
    }
    std::uint64_t* const position = p.position[first].x;
    for (int k = 0; k < 3; ++k) {
      const N step = nearest_integer(move[k]);
      const N from = bit_cast_to<std::int64_t>(load<U>(position + k * width));
      const N to = from + step;
      // The sign bit of `wrap` is set if the coordinate wrapped around the end of its range.
      const N wrap = (from & ~to & ~step) | (~from & to & step);
      if (any(wrap < N(0))) count_wraps(p.image.data + 3 * first + k * width, wrap, step);
      store(position + k * width, bit_cast_to<std::uint64_t>(to));
    }
  }

 private:
  /// Changes the image flags of the coordinates whose sign bit is set in `wrap`, in the direction
  /// of `step`.
  static GSIM_HD void count_wraps(std::int32_t* image, N wrap, N step) {
    std::int64_t wraps[width], steps[width];
    store(wraps, wrap);
    store(steps, step);
    for (int l = 0; l < width; ++l)
      if (wraps[l] < 0) image[l] += steps[l] > 0 ? 1 : -1;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
#endif
