#pragma once
// Device code of the module, executed for every cell.

#include <gsim/domain/cell_loop.hpp>

#include "lattice.hpp"

namespace lbm {

/// The kind of neighbour beyond the first or the last cell of a rank along an axis.
enum class End : std::int32_t {
  cells,  ///< ghosts: copies of cells of other ranks or of this one
  wrap,   ///< own cells at the other end: a periodic axis that is not divided
  wall,
};

/// A rank's cells: the row of the first cell, the row strides along y and z (the stride along x is
/// 1), the number of cells along each axis, and the kind of neighbour beyond each end.
struct Block {
  Index first = 0;
  Index stride_y = 0, stride_z = 0;
  Index size[3] = {0, 0, 0};
  End end[3][2] = {};
};

/// Cells [lo, lo + size) of a block, counted from its first cell.
struct Part {
  Index lo[3] = {0, 0, 0};
  Index size[3] = {0, 0, 0};
};

/// Relaxation rates of the even and odd parts of pairs of opposite populations.
struct Relaxation {
  double even = 1, odd = 1;
  double force[3] = {0, 0, 0};  ///< per unit volume
};

/// One step of the two-relaxation-times lattice Boltzmann equation (Ginzburg, Verhaeghe and
/// d'Humieres 2008) on a part of the cells: populations stream from their positions after the
/// previous step, and collide. With f+ and f- the even and odd parts of a pair of opposite
/// populations,
///   f+ <- f+ - w+ (f+ - e+) + (1 - w+/2) s+     and the same for f-
/// where e is the equilibrium (lattice.hpp), and s the term of the force (Guo, Zheng and Shi 2002,
/// equation 20) with the even and odd parts
///   s+ = weight (9 (c.u)(c.F) - 3 u.F)          s- = weight 3 c.F
/// The velocity is u = (sum of c f + F/2) / density (same source). Walls reflect populations along
/// their link (half-way bounce-back): the wall is half a cell from the centres; a moving wall adds
/// 6 weight c.velocity (Ladd 1994, section 3, for density 1). A link through the edge of two walls,
/// one of which slides along the other, gets no added momentum: cavities then converge with second
/// order, otherwise only with first order.
struct StepArgs {
  const double* from[populations] = {};
  double* to[populations] = {};
  Block block;
  Part part;
  Relaxation relaxation;
  /// Momentum added by moving walls, by axis, side and population.
  double wall_momentum[3][2][populations] = {};
  std::int32_t direction[populations][3] = {};
};

/// The density minus 1 and the velocity of all cells of a block, and the products (density u.u) / 2
/// and u.mode. With i and j the coordinates of the cell along axes a and b, the mode is
///   (scale_a cos_a[i] sin_b[j]) along a, (scale_b sin_a[i] cos_b[j]) along b.
struct MomentsArgs {
  gsim::CellLoop loop;
  gsim::FieldView<const double> from[populations] = {};
  gsim::FieldView<double> density_deviation;
  gsim::FieldView<double, 3> velocity;
  gsim::FieldView<double, 2> product;
  double force[3] = {0, 0, 0};
  int axis[2] = {-1, -1};  ///< a and b; -1: no mode
  double scale[2] = {0, 0};
  const double *cosine[2] = {nullptr, nullptr}, *sine[2] = {nullptr, nullptr};
};

}  // namespace lbm

GSIM_DECLARE_LAUNCHER(lbm_step, ::lbm::StepArgs)
GSIM_DECLARE_LAUNCHER(lbm_moments, ::lbm::MomentsArgs)
