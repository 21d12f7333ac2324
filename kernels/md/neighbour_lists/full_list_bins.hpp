#pragma once
// Distances of atoms and the bins that contain them, for full neighbour lists.

#include "gsim/math/scalar.hpp"
#include "kernels/md/neighbour_lists/full_list_jobs.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The squared distance to the nearest image.
GSIM_HD float distance2(const float* box_matrix, const std::uint32_t* a, const std::uint32_t* b) {
  float n[3];
  for (int k = 0; k < 3; ++k) n[k] = static_cast<float>(static_cast<std::int32_t>(a[k] - b[k]));
  const float x = fma(box_matrix[4], n[2], fma(box_matrix[3], n[1], box_matrix[0] * n[0]));
  const float y = fma(box_matrix[5], n[2], box_matrix[1] * n[1]), z = box_matrix[2] * n[2];
  return fma(z, z, fma(y, y, x * x));
}

GSIM_HD std::uint32_t bin_along(const md::FullListGrid& grid, int axis, std::uint32_t x) {
  const auto cell = static_cast<std::uint32_t>((std::uint64_t{x} * grid.cells[axis]) >> 32);
  return cell % grid.bins[axis];
}
GSIM_HD Index bin_of(const md::FullListGrid& grid, const md::PairRecord<float>& record) {
  Index bin = 0;
  for (int a = 0; a < 3; ++a) bin = bin * grid.bins[a] + bin_along(grid, a, record.x[a]);
  return bin;
}

}  // namespace md_kernels
GSIM_TARGET_END
