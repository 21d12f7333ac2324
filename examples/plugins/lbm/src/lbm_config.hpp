#pragma once
// The configuration of a fluid on a lattice. Lengths are in cells, times in steps, and the density
// at rest is 1.

#include <array>
#include <string>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/domain/grid.hpp>
#include <gsim/engine/field_series.hpp>
#include <gsim/io/vtk_image.hpp>

namespace lbm {

using gsim::Index;
using Vector = std::array<double, 3>;

enum class StartKind { rest, vortices };

/// Counter-rotating vortices in a plane of two periodic axes (vortices.hpp).
struct VorticesConfig {
  int plane = 0;                 ///< 0: x and y, 1: y and z, 2: z and x
  double speed = 0;              ///< the scale of velocities
  std::array<Index, 2> waves{};  ///< numbers of wavelengths along both axes of the plane
  std::size_t axis(int k) const { return static_cast<std::size_t>((plane + k) % 3); }
};

struct LbmConfig {
  gsim::Cell cells{1, 1, 1};
  std::array<gsim::Boundary, 3> boundaries{gsim::Boundary::periodic, gsim::Boundary::periodic,
                                           gsim::Boundary::periodic};
  std::array<std::array<Vector, 2>, 3> wall_velocity{};  ///< [axis][side], of axes with walls

  double viscosity = 0;
  double magic = 3.0 / 16;  ///< magic parameter of two-relaxation-time methods (odd_rate())
  Vector force{};
  Index steps = 0;
  Index observe_every = 1;  ///< steps between rows of the table of observations
  gsim::PictureKeys pictures;

  StartKind start = StartKind::rest;
  VorticesConfig vortices;
  std::vector<std::vector<double>> places;  ///< the key `places` of [probes]
  std::vector<Vector> probes;               ///< points whose velocities are reported

  /// Describes the tables [lattice], [fluid], [start], [probes] and [pictures] to a section, which
  /// fills these members while it reads.
  void describe(gsim::Section& top);

  Index count() const { return cells[0] * cells[1] * cells[2]; }
  gsim::GridDecomposition decomposition(int ranks) const { return {cells, boundaries, ranks}; }
  gsim::VtkImage image() const { return {cells, {0, 0, 0}, {1, 1, 1}, "cells", "steps"}; }

  /// Rate at which even parts of populations relax: viscosity = (1/rate - 1/2) / 3 (Ginzburg,
  /// Verhaeghe and d'Humieres 2008).
  double even_rate() const { return 1 / (3 * viscosity + 0.5); }
  /// Rate of odd parts: magic = (1/even - 1/2) (1/odd - 1/2) (same source).
  double odd_rate() const { return 1 / (magic / (3 * viscosity) + 0.5); }
};

}  // namespace lbm
