#pragma once
// The functions of an embedded-atom potential (Daw and Baskes, Phys. Rev. B 29, 6443 (1984)) as
// piecewise cubic polynomials: U = sum over atoms of F(rho) + sum over pairs of phi(r), where rho
// is the sum of the densities of an atom's neighbours at its position. In eV and angstrom.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/md/many_body/eam_kind.hpp"
#include "kernels/md/many_body/eam_embedding.hpp"

namespace gsim::md {

/// A function given at x = 0, step, 2 step, …: on each interval the cubic polynomial with its
/// values and slopes at both ends (Hermite). Slopes come from five points, (f(-2) - 8 f(-1) + 8
/// f(1) - f(2)) / 12 steps (Abramowitz and Stegun 25.3.6); from three points next to an end, and
/// from two at it. LAMMPS interpolates in the same way, so that tables give the same functions.
class CubicTable {
 public:
  /// Coefficients of an interval, {c3, c2, c1, c0} in t = 0 … 1.
  using Cubic = std::array<double, 4>;

  /// At least 5 values; step > 0.
  CubicTable(std::span<const double> values, double step);

  const std::vector<Cubic>& intervals() const { return intervals_; }
  double step() const { return step_; }
  /// The x of the last value.
  double end() const { return step_ * static_cast<double>(intervals_.size()); }
  /// The function for kernels; must not outlive this object.
  CubicCurve curve() const {
    return {intervals_.front().data(), static_cast<Index>(intervals_.size()), step_};
  }
  struct Point {
    double value, slope;
  };
  /// Beyond the ends the function is continued linearly.
  Point at(double x) const;

 private:
  std::vector<Cubic> intervals_;
  double step_;
};

/// The functions of a potential for the types of a run; with types() == 1, for atoms of any type.
struct EamTables {
  double cutoff = 0;
  /// The embedding function of type i at i.
  std::vector<CubicTable> embedding;
  /// The density of an atom of type i at one of type j, at i * types() + j; r phi in the same
  /// order.
  std::vector<CubicTable> density, r_phi;

  std::size_t types() const { return embedding.size(); }
  const CubicTable& density_of(std::size_t i, std::size_t at) const {
    return density[i * types() + at];
  }
  const CubicTable& r_phi_of(std::size_t i, std::size_t j) const { return r_phi[i * types() + j]; }
};

/// The tables of types, type t being element elements[t] of `file`; of a single type if all types
/// are the same element.
EamTables make_eam_tables(const EamFile& file, std::span<const std::size_t> elements);

/// One file for the elements of several funcfl files, each of which has one element: r phi of two
/// elements is the geometric mean, since it is the product of their effective charges (Foiles,
/// Baskes and Daw, Phys. Rev. B 33, 7983 (1986), eq. 11), which are not negative. Files of
/// different grids are interpolated, by CubicTable, to the widest range at the largest step.
EamFile merge_funcfl(std::span<const EamFile> files);

}  // namespace gsim::md
