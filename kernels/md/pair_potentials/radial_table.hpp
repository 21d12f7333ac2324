#pragma once
// A tabulated potential: in each interval of x = r^2 a cubic polynomial of the position t within
// it, u = a0 + t (a1 + t (a2 + t a3)), and the force as its exact derivative, -du/dr / r = -2
// du/dx.
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct RadialTable {
  static constexpr char name[] = "table";
  static constexpr char doc[] = "energies and forces from a file";
  /// The host computes these from a file (src/modules/md/pair_potentials/radial_function.hpp).
  static constexpr md::PotentialParameter parameters[] = {
      {"first", "r^2 where the table begins", md::ParameterUnit::length_to(2),
       md::ParameterRange::not_negative},
      {"step", "width of an interval of r^2", md::ParameterUnit::length_to(2),
       md::ParameterRange::positive},
      {"intervals", "number of intervals", md::ParameterUnit::none, md::ParameterRange::positive},
      {"offset", "index of the first interval in the data", md::ParameterUnit::none,
       md::ParameterRange::not_negative}};
  static constexpr int size = 6;
  static constexpr bool is_steep = false, is_charged = false;

  /// c = {first, 1/step, intervals - 1, offset, scale, -2 scale / step}.
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = p[0];
    c[1] = 1 / p[1];
    c[2] = p[2] - 1;
    c[3] = p[3];
    c[4] = scale;
    c[5] = -2 * scale / p[1];
  }
  static double closest(const double* p, double /*cutoff*/) { return sqrt(p[0]); }

  /// `data` holds four polynomial coefficients per interval.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c, const scalar_of<R>* data) {
    R t;
    const auto at = place(r2, c, t);
    const R a1 = gather(data + 1, at), a2 = gather(data + 2, at), a3 = gather(data + 3, at);
    const R f = c[5] * fma(t, fma(t * R(3), a3, a2 + a2), a1);
    return select(r2 < c[0], R(overlap_force), f);
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c, const scalar_of<R>* data) {
    R t;
    const auto at = place(r2, c, t);
    const R a0 = gather(data, at), a1 = gather(data + 1, at), a2 = gather(data + 2, at),
            a3 = gather(data + 3, at);
    return c[4] * fma(t, fma(t, fma(t, a3, a2), a1), a0);
  }

 private:
  /// The force at distances below the first one of the table. It exceeds the largest allowed force,
  /// so that the atoms are reported as overlapping.
  static constexpr float overlap_force = 1e30f;

  template <Real R>
  static GSIM_HD rebind<R, std::int32_t> place(R r2, const R* c, R& t) {
    R s = (r2 - c[0]) * c[1];
    s = select(s > R(0), s, R(0));
    R i = floor(s);
    i = select(i < c[2], i, c[2]);
    t = s - i;
    return convert<std::int32_t>((i + c[3]) * R(4));
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
