#pragma once
// The three systems of units that a simulation may be written in. As in LAMMPS, `metal` and `real`
// mix units that do not belong together; the factors below bring products of them into line.

#include <span>
#include <string_view>

namespace gsim::md {

enum class UnitSystem { lj, metal, real };

/// Words of a configuration, in the order of UnitSystem.
std::span<const std::string_view> unit_system_words();

/// Constants and conversion factors in one system, and the units' names as H5MD and MDAnalysis
/// write them (empty in lj, where numbers have no unit).
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
/// Rev. Mod. Phys. 93, 025010 (2021)). LAMMPS keeps older ones: its kB is 8.617343e-5 eV/K in metal
/// (1.13e-6 above) and 0.0019872067 kcal/mol/K in real (6.3e-8 above), so its kinetic energies at a
/// given temperature differ from ours by as much.
const Units& units_of(UnitSystem system);

}  // namespace gsim::md
