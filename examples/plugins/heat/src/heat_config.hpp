#pragma once
// The configuration of module heat.

#include <array>
#include <string>

#include <gsim/config/section.hpp>
#include <gsim/engine/field_series.hpp>
#include <gsim/engine/grid_config.hpp>

namespace heat {

using gsim::Index;

enum class StartKind { mode, box };

struct HeatConfig {
  gsim::GridConfig grid;
  double diffusivity = 1;
  double time_step = 0;
  Index steps = 0;
  std::string temperature_unit, time_unit;  ///< for files and pictures; empty: unspecified
  Index observe_every = 1;                  ///< steps between rows of the table of observations
  gsim::PictureKeys pictures;

  StartKind start = StartKind::mode;
  double background = 0;  ///< temperature outside the box, or to which the mode is added
  double amplitude = 1;   ///< amplitude of the mode
  std::array<Index, 3> waves{1, 0, 0};     ///< m of the mode along x, y, z (modes.hpp)
  double value = 1;                        ///< temperature in the box
  std::array<double, 3> lower{}, upper{};  ///< corners of the box

  /// Describes the tables [grid], [heat], [start] and [pictures] to a section, which fills these
  /// members while it reads.
  void describe(gsim::Section& top);

  /// The diffusion number along `axis`, the fraction of the temperature difference between two
  /// neighbours by which one step changes each of them: D dt / h^2.
  double diffusion_number(std::size_t axis) const {
    return diffusivity * time_step / (grid.spacing[axis] * grid.spacing[axis]);
  }
};

}  // namespace heat
