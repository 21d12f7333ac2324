#pragma once
// Conversion of velocities to displacements of integer positions.

#include "gsim/domain/box.hpp"
#include "kernels/md/integrators/advance_matrix.hpp"

namespace gsim::md {

/// md_kernels::advance_matrix() of a box.
inline void set_advance(const Box& box, double time, const Vector3& factor, double* advance) {
  md_kernels::advance_matrix(box.matrix(64).data(), time, factor, advance);
}

}  // namespace gsim::md
