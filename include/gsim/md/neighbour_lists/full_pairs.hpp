#pragma once
// The common arithmetic of passes over full neighbour lists, in which each index sums the forces on
// one atom. Differences of positions, their conversion to distances and the rounding of forces are
// the same operations as in the loop over cluster pairs (cluster_lanes.hpp). Exchanging the atoms
// of a pair changes only the sign of the difference and of the rounded force, so that both loops
// give the same integer sums.

#include "gsim/math/pack.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "gsim/md/neighbour_lists/full_list.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The nearest integer (ties to even) of a product that is first rounded to float. Values out of
/// range, which only overlapping atoms cause, give an arbitrary integer.
GSIM_HD std::int32_t rounded_product(float a, float b) {
  const float x = a * b;
#if defined(__CUDA_ARCH__)
  return __float2int_rn(x);
#else
  return abs(x) < 0x1p31f ? convert<std::int32_t>(round_even(x)) : 0;
#endif
}
/// The nearest integer of the exact product, for magnitudes below 2^51.
GSIM_HD std::int64_t rounded_product(double a, double b) {
  constexpr double rounder = 0x1.8p52;  // sums with it are integers, in the low bits of the double
  return static_cast<std::int64_t>(bit_cast_to<std::uint64_t>(fma(a, b, rounder)) -
                                   bit_cast_to<std::uint64_t>(rounder));
}

/// The difference a - b of two integer coordinates to the nearest periodic image; in units of 2^12
/// for 64-bit coordinates.
GSIM_HD float coordinate_difference(std::uint32_t a, std::uint32_t b) {
  return convert<float>(static_cast<std::int32_t>(a - b));
}
GSIM_HD double coordinate_difference(std::uint64_t a, std::uint64_t b) {
  return convert<double>(static_cast<std::int64_t>(a - b) >> 12);  // 52 bits: exact
}

/// The high 32 bits of |f|, which can be compared as integers.
GSIM_HD std::uint32_t magnitude_word(float f) {
  return bit_cast_to<std::uint32_t>(f) & 0x7fffffffu;
}
GSIM_HD std::uint32_t magnitude_word(double f) {
  return static_cast<std::uint32_t>(bit_cast_to<std::uint64_t>(f) >> 32) & 0x7fffffffu;
}

/// Adds to a sum, with wrap-around (overlapping atoms may cause it).
GSIM_HD void add_term(std::int64_t& sum, std::int64_t term) {
  sum =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(term));
}

/// Sets `d` to the vector from `neighbour` to `centre`, and returns the square of its length.
template <class Real>
GSIM_HD Real pair_distance(const Real* box_matrix, const md::PairRecord<Real>& centre,
                           const md::PairRecord<Real>& neighbour, Real* d) {
  const Real u0 = coordinate_difference(centre.x[0], neighbour.x[0]);
  const Real u1 = coordinate_difference(centre.x[1], neighbour.x[1]);
  const Real u2 = coordinate_difference(centre.x[2], neighbour.x[2]);
  d[0] = fma(box_matrix[4], u2, fma(box_matrix[3], u1, box_matrix[0] * u0));
  d[1] = fma(box_matrix[5], u2, box_matrix[1] * u1);
  d[2] = box_matrix[2] * u2;
  return fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
}

/// Box::matrix for the integers of the positions, of the box of a pass. `Sums`: the pass computes
/// energies or virials, and reads the box from device memory if a device changes it.
template <class Real, bool Sums>
class BoxOfPass {
 public:
  GSIM_HD explicit BoxOfPass(const md::FullListPass<Real>& pass) : matrix_(pass.box_matrix) {}
  GSIM_HD const Real* matrix() const { return matrix_; }

 private:
  const Real* matrix_;
};
template <class Real>
class BoxOfPass<Real, true> {
 public:
  GSIM_HD explicit BoxOfPass(const md::FullListPass<Real>& pass) {
    // 2^-32 and 2^-52: the products are exact.
    constexpr double unit = sizeof(Real) == 4 ? 0x1p-32 : 0x1p-52;
    for (int k = 0; k < 6; ++k)
      matrix_[k] = pass.device_box == nullptr
                       ? pass.box_matrix[k]
                       : static_cast<Real>(pass.device_box->matrix[k] * unit);
  }
  GSIM_HD const Real* matrix() const { return matrix_; }

 private:
  Real matrix_[6];
};

/// Adds the virial of a pair; `scaled`: F/r in energy quanta over a squared length.
template <class Real>
GSIM_HD void add_virial(const Real* d, Real scaled, std::int64_t* sums) {
  constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
  for (int v = 0; v < 6; ++v)
    add_term(sums[v], rounded_product(d[first[v]] * scaled, d[second[v]]));
}

/// The neighbours of row i in a pass, which are entries[n * step] (NeighbourRows).
struct NeighbourRow {
  const std::int32_t* entries;
  Index step;
  std::int32_t count;
  template <class Real>
  GSIM_HD NeighbourRow(const md::FullListPass<Real>& pass, Index i)
      : NeighbourRow(pass.list, i, pass.ghosts) {}
  GSIM_HD NeighbourRow(const md::NeighbourRows& list, Index i, bool ghosts)
      : entries(list.entries + (ghosts ? (list.capacity - 1) * list.stride + i : i)),
        step(ghosts ? -list.stride : list.stride),
        count(ghosts ? list.ghosts[i] : list.locals[i]) {}
  GSIM_HD std::int32_t at(std::int32_t n) const { return entries[n * step]; }
};

/// Adds the sum `f` of the forces of a pass on row i, in quanta of the pass, to job.forces, or
/// replaces these. Sum is an unsigned type whose values are read as signed.
template <class Job, class Sum>
GSIM_HD void add_force(const Job& job, Index i, const Sum* f) {
  for (int a = 0; a < 3; ++a) {
    const auto sum = static_cast<std::int64_t>(static_cast<std::make_signed_t<Sum>>(f[a]));
    const std::int64_t before = job.forces[3 * i + a] & job.kept;
    job.forces[3 * i + a] = before + sum * (std::int64_t{1} << job.force_shift);
  }
}

/// Records that the atom of row i overlaps with another one; the lowest id is kept.
template <class Real>
GSIM_HD void note_overlap(const md::FullListPass<Real>& pass, Index i) {
  note_lowest_id(&pass.status->overlap, pass.ids == nullptr ? i : pass.ids[i]);
}

}  // namespace md_kernels
GSIM_TARGET_END
