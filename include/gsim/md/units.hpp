#pragma once
// The three systems of units of configurations and results, as in LAMMPS. The units of `metal` and
// `real` are not coherent: the factors below convert products of units to the unit of the result.

#include <span>
#include <string_view>

namespace gsim::md {

enum class UnitSystem { lj, metal, real };

/// The names of the systems in configurations, in the order of UnitSystem.
std::span<const std::string_view> unit_system_names();

/// Constants and conversion factors of one system, and the names of its units in the form of H5MD
/// and MDAnalysis (empty in lj, where quantities are dimensionless).
struct Units {
  UnitSystem system = UnitSystem::lj;
  double boltzmann = 1;              ///< energy per temperature
  double energy_per_mv2 = 1;         ///< mass velocity^2 times this is an energy
  double acceleration = 1;           ///< force / mass times this is velocity / time
  double pressure = 1;               ///< energy / volume times this is a pressure
  double coulomb = 1;                ///< charge^2 / length times this is an energy
  double gram_per_cm3 = 1;           ///< mass / volume times this is g/cm^3 (1 in lj)
  double siemens_per_metre = 1;      ///< charge^2 / (energy length time) times this is S/m
  double watt_per_metre_kelvin = 1;  ///< energy / (length time temperature) times this is W/(m K)
  std::string_view length_name, time_name, velocity_name, force_name, energy_name, mass_name,
      charge_name, temperature_name, pressure_name;
};

/// lj: epsilon, sigma, m and kB are 1, and so is every factor.
/// metal: eV, angstrom, ps, g/mol, K, bar, e.
/// real: kcal/mol, angstrom, fs, g/mol, K, atm, e.
/// Constants are those of the SI since 2019 and CODATA 2018 (Tiesinga, Mohr, Newell and Taylor,
/// Rev. Mod. Phys. 93, 025010 (2021)). LAMMPS uses older values: its kB is 8.617343e-5 eV/K in
/// metal (relatively 1.13e-6 larger) and 0.0019872067 kcal/mol/K in real (6.3e-8 larger), so that
/// its kinetic energies at a given temperature differ by the same amounts.
const Units& units_of(UnitSystem system);

}  // namespace gsim::md
