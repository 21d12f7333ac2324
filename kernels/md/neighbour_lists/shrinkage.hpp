#pragma once
// How a change of the box changes distances.

#include "gsim/math/scalar.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Lists are aging once an atom has moved by this share of the distance by which atoms may move
/// (md::list_is_aging).
inline constexpr double aging_share = 0.75;

GSIM_HD double larger(double x, double y) { return x > y ? x : y; }

/// An upper bound of the ratio of a distance in box `a` to the same distance in box `b`
/// (Box::matrix): of the largest singular value of the matrix that transforms vectors of `b` to
/// those of `a`, the square root of the product of its row and column norms (Golub and Van Loan,
/// Matrix Computations, 2.3.3). It is exact for diagonal matrices. The bound of two successive
/// changes of the box is at most the product of their bounds.
GSIM_HD double shrinkage(const double* a, const double* b) {
  // Upper triangles {xx, yy, zz, xy, xz, yz}: a b^-1.
  const double x = a[0] / b[0], y = a[1] / b[1], z = a[2] / b[2];
  const double xy = (a[3] - x * b[3]) / b[1];
  const double yz = (a[5] - y * b[5]) / b[2];
  const double xz = (a[4] - x * b[4] - xy * b[5]) / b[2];
  const double row = larger(larger(x + abs(xy) + abs(xz), y + abs(yz)), z);
  const double column = larger(larger(x, abs(xy) + y), abs(xz) + abs(yz) + z);
  return sqrt(row * column);
}

/// The distance by which atoms may have moved since lists were made with `skin` in the box `listed`
/// (allowed_move() in list_limits.hpp).
GSIM_HD double allowed_move(const double* listed, const double* now, double cutoff, double skin) {
  // Two atoms that are within the cutoff now would be at most cutoff * shrinkage apart in the box
  // of the lists if they had kept their fractional positions. Each may have moved by half of the
  // remaining distance.
  return 0.5 * (skin + cutoff - cutoff * shrinkage(listed, now));
}

}  // namespace md_kernels
GSIM_TARGET_END
