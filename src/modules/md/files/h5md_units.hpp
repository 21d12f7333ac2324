#pragma once
// Units of H5MD files for runs in units that common readers do not support.

#include <optional>
#include <string_view>

#include "gsim/md/units.hpp"

namespace gsim::md {

/// The name of a unit in a file, and the unit of the run as a multiple of it.
struct H5mdUnit {
  std::string_view name;
  double factor = 1;
};

/// Older versions of MDAnalysis (for example 2.4) read Angstrom fs-1 as 1e-3 Angstrom ps-1, so
/// velocities in real units are written in Angstrom ps-1.
inline H5mdUnit h5md_velocity(const Units& units) {
  if (units.system == UnitSystem::real) return {"Angstrom ps-1", 1e3};
  return {units.velocity_name, 1};
}

/// MDAnalysis has no name for eV/Angstrom, so forces in metal units are written in kJ/mol/Angstrom.
inline H5mdUnit h5md_force(const Units& units) {
  // energy_per_mv2 is the energy in eV of 10 J/mol (units.cpp).
  if (units.system == UnitSystem::metal)
    return {"kJ mol-1 Angstrom-1", 0.01 / units.energy_per_mv2};
  return {units.force_name, 1};
}

/// The velocity unit of the run in the unit with the name `unit_name`; empty for an unknown name.
inline std::optional<double> velocity_in(const Units& units, std::string_view unit_name) {
  if (unit_name == units.velocity_name) return 1;
  if (unit_name == "Angstrom ps-1" && units.system == UnitSystem::real) return 1e3;
  if (unit_name == "Angstrom fs-1" && units.system == UnitSystem::metal) return 1e-3;
  return std::nullopt;
}

}  // namespace gsim::md
