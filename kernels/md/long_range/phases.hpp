#pragma once
// The arithmetic of Ewald's sum, for packs of atoms and for single atoms with the same bits.

#include "gsim/math/trig.hpp"
#include "kernels/md/long_range/ewald_jobs.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// cos and sin of the angle `phase`, in units of 2^-64 turns.
template <Real R>
GSIM_HD SinCos<R> phase_sincos(rebind<R, std::uint64_t> phase) {
  return sincos_2pi<Strict>(convert<double>(phase >> 11) * R(0x1p-53));
}

/// The index of cos(2 pi n x[axis]) in the table of an atom; the sine follows it.
GSIM_HD Index table_entry(const md::KVectorPoints& p, int axis, int n) {
  Index before = n;
  for (int a = 0; a < axis; ++a) before += p.max_n[a] + 1;
  return 2 * before;
}

/// Calls put(k, value) for every entry k of the tables of atoms at positions x: cosines and sines
/// of 2 pi n x[axis] for n = 0 … max_n[axis].
template <Real R, class Put>
GSIM_HD void fill_table(const md::KVectorPoints& p, const rebind<R, std::uint64_t>* x,
                        const Put& put) {
  using U = rebind<R, std::uint64_t>;
  for (int a = 0; a < 3; ++a) {
    U phase(std::uint64_t{0});
    for (int n = 0; n <= p.max_n[a]; ++n) {
      const SinCos<R> value = phase_sincos<R>(phase);
      const Index k = table_entry(p, a, n);
      put(k, value.cos);
      put(k + 1, value.sin);
      phase += x[a];
    }
  }
}

/// The products of the factors in x and y, in the order cc, cs, sc, ss.
template <Real R>
GSIM_HD void plane_products(R cx, R sx, R cy, R sy, R* xy) {
  xy[0] = cx * cy;
  xy[1] = cx * sy;
  xy[2] = sx * cy;
  xy[3] = sx * sy;
}

/// 1.5 x 2^52, and its bits. The sum with a number below 2^51 in magnitude is rounded to an
/// integer.
inline constexpr double sum_rounder = 0x1.8p52;
inline constexpr std::uint64_t sum_rounder_bits = 0x4338000000000000u;

/// Adds the eight terms of a point to `sums`. Adding sum_rounder rounds a term to an integer, so
/// that each sum grows by this integer plus sum_rounder_bits.
template <Real R>
GSIM_HD void add_terms(const R* xy, R cz, R sz, rebind<R, std::uint64_t>* sums) {
  for (int j = 0; j < 4; ++j) {
    sums[2 * j] += bit_cast_to<std::uint64_t>(fma(xy[j], cz, R(sum_rounder)));
    sums[2 * j + 1] += bit_cast_to<std::uint64_t>(fma(xy[j], sz, R(sum_rounder)));
  }
}

/// The contribution of one column to phi for each of the four products of the factors in x and y,
/// and its derivative along z.
template <Real R>
struct ColumnField {
  R phi[4], along_z[4];
};
/// Adds the contribution of a point of the column with coefficients c (ReciprocalForceJob).
template <Real R>
GSIM_HD void add_point(const double* c, R cz, R sz, ColumnField<R>& f) {
  for (int j = 0; j < 4; ++j) {
    f.phi[j] = fma(R(c[2 * j]), cz, fma(R(c[2 * j + 1]), sz, f.phi[j]));
    f.along_z[j] = fma(R(c[8 + 2 * j]), sz, fma(R(c[8 + 2 * j + 1]), cz, f.along_z[j]));
  }
}

/// Adds the contribution of a column to the gradient of phi with respect to the phases x, y, z.
template <Real R>
GSIM_HD void add_column(const md::KVectorColumn& column, R cx, R sx, R cy, R sy,
                        const ColumnField<R>& f, R* gradient) {
  // phi = c_of_y cos(x) + s_of_y sin(x) = c_of_x cos(y) + s_of_x sin(y); its derivative along z is
  // zc cos(x) + zs sin(x).
  const R c_of_y = fma(sy, f.phi[1], cy * f.phi[0]), s_of_y = fma(sy, f.phi[3], cy * f.phi[2]);
  const R c_of_x = fma(sx, f.phi[2], cx * f.phi[0]), s_of_x = fma(sx, f.phi[3], cx * f.phi[1]);
  gradient[0] = fma(R(double(column.x)), fma(cx, s_of_y, -(sx * c_of_y)), gradient[0]);
  gradient[1] = fma(R(double(column.y)), fma(cy, s_of_x, -(sy * c_of_x)), gradient[1]);
  const R zc = fma(sy, f.along_z[1], cy * f.along_z[0]);
  const R zs = fma(sy, f.along_z[3], cy * f.along_z[2]);
  gradient[2] = fma(cx, zc, fma(sx, zs, gradient[2]));
}

/// The force in units of the force quantum, before rounding: charge times the matrix `m`
/// (ReciprocalForceJob::gradient) times the gradient of phi with respect to the phases.
template <Real R>
GSIM_HD void force_of(const double* m, R charge, const R* gradient, R* force) {
  force[0] = charge * (m[0] * gradient[0]);
  force[1] = charge * fma(R(m[1]), gradient[1], m[3] * gradient[0]);
  force[2] = charge * fma(R(m[2]), gradient[2], fma(R(m[5]), gradient[1], m[4] * gradient[0]));
}

}  // namespace md_kernels
GSIM_TARGET_END
