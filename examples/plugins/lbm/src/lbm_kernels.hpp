#pragma once
// Device code of the module, executed for every cell.

#include <gsim/domain/cell_loop.hpp>

#include "lattice.hpp"

namespace lbm {

/// The kind of neighbour beyond the first or the last cell of a rank along an axis.
enum class End : std::int32_t {
  cells,  ///< ghosts: copies of cells of other ranks or of its own
  wrap,   ///< own cells at the other end: a periodic axis that is not divided
  wall,
};

/// A rank's cells: rows of the first one and from one to the next along y and z (1 along x), how
/// many there are, and what is beyond.
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

/// How populations relax: those parts of pairs of opposite ones that are even, and odd.
struct Relaxation {
  double even = 1, odd = 1;
  double force[3] = {0, 0, 0};  ///< a unit of volume
};

/// One step of the two-relaxation-times lattice Boltzmann equation (Ginzburg, Verhaeghe and
/// d'Humieres 2008) on a part of the cells: populations come from where they were after the step
/// before, and collide. With f+ and f- the even and odd parts of a pair of opposite populations,
///   f+ <- f+ - w+ (f+ - e+) + (1 - w+/2) s+     and likewise f-
/// where e is the equilibrium (lattice.hpp), and s the force's term (Guo, Zheng and Shi 2002,
/// equation 20), whose even and odd parts are
/// s+ = weight (9 (c.u)(c.F) - 3 u.F) s- = weight 3 c.F and the velocity is u = (sum of c f + F/2)
/// / density (the same). Walls reflect populations along their link (half-way bounce-back): the
/// wall is half a cell from the centres; a moving wall adds 6 weight c.velocity (Ladd 1994, section
/// 3, for density 1). A link through the edge of two walls, where one slides along the other, adds
/// nothing: cavities then converge to second order, and only to first order where either wall
/// pushes.
struct StepArgs {
  const double* from[populations] = {};
  double* to[populations] = {};
  Block block;
  Part part;
  Relaxation relaxation;
  double moving[3][2][populations] = {};  ///< what walls add, by axis, side and population
  std::int32_t direction[populations][3] = {};
};

/// Density less 1 and velocity of all cells of a block; of products, (density u.u) / 2 and u.mode.
/// The mode is, with i and j the cell's places along axes a and b,
///   (scale_a cos_a[i] sin_b[j]) along a, (scale_b sin_a[i] cos_b[j]) along b.
struct MomentsArgs {
  gsim::CellLoop loop;
  gsim::FieldView<const double> from[populations] = {};
  gsim::FieldView<double> excess;
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
