#pragma once
// Conversion of velocities to displacements of integer positions.

#include "gsim/math/vector3.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Matrix from a velocity to the displacement during `time`, in 2^-64 of the axes' integer ranges,
/// in the order of KickDriftArgs::advance: the inverse of `m`, Box::matrix(64), times `time`, with
/// rows scaled by `factor`.
GSIM_HD void advance_matrix(const double* m, double time, const Vector3& factor, double* advance) {
  advance[0] = time / m[0] * factor[0];
  advance[1] = time / m[1] * factor[1];
  advance[2] = time / m[2] * factor[2];
  advance[3] = -time * m[3] / (m[0] * m[1]) * factor[0];
  advance[4] = time * (m[3] * m[5] - m[1] * m[4]) / (m[0] * m[1] * m[2]) * factor[0];
  advance[5] = -time * m[5] / (m[1] * m[2]) * factor[1];
}

}  // namespace md_kernels
GSIM_TARGET_END
