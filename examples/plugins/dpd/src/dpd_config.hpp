#pragma once
// Configuration of the plugin.

#include <gsim/config/section.hpp>
#include <gsim/engine/series_table.hpp>

namespace dpd {

using gsim::Index;

/// [dpd] and [thermo]. Units: the range of the forces is 1, the mass of a particle 1.
struct DpdConfig {
  Index particles = 0;
  double length = 0;        ///< edge of the cubic box
  double repulsion = 25;    ///< a: energy / length
  double friction = 4.5;    ///< gamma: mass / time
  double temperature = 1;   ///< k T, an energy
  double time_step = 0.04;  ///< dt
  double lambda = 0.5;      ///< fraction of dt over which velocities are predicted
  Index steps = 0;
  gsim::SeriesKeys thermo{.every = 10};

  void describe(gsim::Section& top);
  /// Number density.
  double density() const { return static_cast<double>(particles) / (length * length * length); }
};

}  // namespace dpd
