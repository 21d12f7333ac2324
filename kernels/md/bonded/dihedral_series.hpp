#pragma once
// Interactions of four atoms i, j, k, l along a chain: a Fourier series in the dihedral angle phi,
//   U = sum over m = 0 … order of C_m cos(m phi) + S_m sin(m phi),
// which contains all usual torsion potentials. phi follows IUPAC (Pure Appl. Chem. 45 (1976) 11,
// rule E-5.6 ff.): 0 for cis, 180 degrees for trans, positive when, looking from j to k, the front
// bond has to be turned clockwise to cover the rear bond.
//
// Forces are those of A. Blondel and M. Karplus, J. Comput. Chem. 17 (1996) 1132, Eq. 27, which
// have no singularity at phi = 0 and pi: with F = r_i - r_j, G = r_j - r_k, H = r_l - r_k, A = F x
// G, B = H x G,
//   dphi/dr_i = -|G| A/A^2,   dphi/dr_l = |G| B/B^2,
//   dphi/dr_j = (|G| + F.G/|G|) A/A^2 - (H.G/|G|) B/B^2,   dphi/dr_k = minus their sum,
// where cos(phi) = A.B/(|A| |B|) and sin(phi) = (B x A).G/(|A| |B| |G|). cos(m phi) and sin(m phi)
// follow by the addition theorems; the angle itself is never computed.

#include "gsim/md/bonded/bonded_math.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct Dihedral {
  static constexpr int atoms = 4;

  /// U and U'(phi) of the series.
  template <class R>
  struct Response {
    R energy, slope;
  };
  template <Real R, class Types>
  static GSIM_HD Response<R> respond(const md::BondedJob& job, Types type, R cosine, R sine) {
    // Constants: C_0, then C_m and S_m of every m.
    const int count = 2 * job.order + 1;
    Response<R> u{constant<R>(job, type, count, 0), R(0.0)};
    R c = cosine, s = sine;  // cos(m phi), sin(m phi)
    for (int m = 1; m <= job.order; ++m) {
      const R even = constant<R>(job, type, count, 2 * m - 1);
      const R odd = constant<R>(job, type, count, 2 * m);
      u.energy += fma(even, c, odd * s);
      u.slope += R(static_cast<double>(m)) * fma(odd, c, -(even * s));
      const R next = fma(c, cosine, -(s * sine));
      s = fma(s, cosine, c * sine);
      c = next;
    }
    return u;
  }

  template <bool Sums, Real R, class Rows>
  static GSIM_HD BondedResult<R, 4> evaluate(const md::BondedJob& job, const Rows* row, Rows type) {
    const Vector<R> f = difference<R>(job, row[0], row[1]), g = difference<R>(job, row[1], row[2]);
    const Vector<R> h = difference<R>(job, row[3], row[2]);
    const Vector<R> a = cross(f, g), b = cross(h, g);
    const R a2 = dot(a, a), b2 = dot(b, b), g2 = dot(g, g);
    const R length = sqrt(g2);
    const R normal = R(1.0) / (sqrt(a2) * sqrt(b2));
    const R cosine = dot(a, b) * normal, sine = dot(cross(b, a), g) * normal / length;
    const auto u = respond(job, type, cosine, sine);
    const R slope = u.slope * job.force_scale;
    const R along_a = slope / a2, along_b = slope / b2;
    const R fg = dot(f, g) / length, hg = dot(h, g) / length;
    const Vector<R> fi = scaled(length * along_a, a), fl = scaled(-length * along_b, b);
    const Vector<R> fj = combine(-(length + fg) * along_a, a, hg * along_b, b);
    BondedResult<R, 4> result;
    const R longest(job.longest2);
    result.is_fault = is_too_large(fi, job.largest) | is_too_large(fj, job.largest) |
                      is_too_large(fl, job.largest) | (dot(f, f) > longest) | (g2 > longest) |
                      (dot(h, h) > longest);
    set_force(result.force[0], fi, result.is_fault);
    set_force(result.force[1], fj, result.is_fault);
    set_force(result.force[3], fl, result.is_fault);
    for (int c = 0; c < 3; ++c)
      result.force[2][c] = rebind<R, std::int64_t>(std::int64_t{0}) -
                           (result.force[0][c] + result.force[1][c] + result.force[3][c]);
    if constexpr (Sums) {
      for (R& t : result.energy_virial) t = R(0.0);
      // Relative to j: k is at -G, and F_k = -(F_i + F_j + F_l).
      const Vector<R> fk{-(fi.x + fj.x + fl.x), -(fi.y + fj.y + fl.y), -(fi.z + fj.z + fl.z)};
      add_virial(result.energy_virial, f, fi);
      add_virial(result.energy_virial, scaled(R(-1.0), g), fk);
      add_virial(result.energy_virial, Vector<R>{h.x - g.x, h.y - g.y, h.z - g.z}, fl);
      scale_energy_virial(job, u.energy, result.energy_virial);
    }
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
