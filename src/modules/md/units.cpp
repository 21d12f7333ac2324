#include "gsim/md/units.hpp"

#include <array>

namespace gsim::md {
namespace {

// Exact by the definition of the SI (2019).
constexpr double boltzmann_si = 1.380649e-23;      // J/K
constexpr double avogadro = 6.02214076e23;         // 1/mol
constexpr double electron_volt = 1.602176634e-19;  // J; also the elementary charge in C
constexpr double calorie = 4.184;                  // J, the thermochemical calorie
constexpr double atmosphere = 101325;              // Pa
constexpr double bar = 1e5;                        // Pa
// CODATA 2018, relative uncertainty 1.5e-10.
constexpr double vacuum_permittivity = 8.8541878128e-12;  // F/m
constexpr double pi = 3.14159265358979323846;

constexpr double angstrom = 1e-10;
constexpr double cubic_angstrom = 1e-30;
constexpr double gram_per_mol = 1e-3 / avogadro;  // kg
constexpr double kilocalorie_per_mol = 1000 * calorie / avogadro;
/// Energy of two elementary charges one angstrom apart, in J.
constexpr double coulomb_si =
    electron_volt * electron_volt / (4 * pi * vacuum_permittivity * angstrom);
constexpr double density = 1e3 * gram_per_mol * 1e24;  // g/mol per cubic angstrom in g/cm^3

constexpr Units lj_units{};

constexpr Units metal_units{
    .system = UnitSystem::metal,
    .boltzmann = boltzmann_si / electron_volt,
    .energy_per_mv2 = 10 / (avogadro * electron_volt),  // g/mol (100 m/s)^2 = 10 J/mol
    .acceleration = avogadro * electron_volt / 10,
    .pressure = electron_volt / (cubic_angstrom * bar),
    .coulomb = coulomb_si / electron_volt,
    .gram_per_cm3 = density,
    .siemens_per_metre = electron_volt / (angstrom * 1e-12),
    .watt_per_metre_kelvin = electron_volt / (angstrom * 1e-12),
    .length_name = "Angstrom",
    .time_name = "ps",
    .velocity_name = "Angstrom ps-1",
    .force_name = "eV Angstrom-1",
    .energy_name = "eV",
    .mass_name = "g mol-1",
    .charge_name = "e",
    .temperature_name = "K",
    .pressure_name = "bar",
};

constexpr Units real_units{
    .system = UnitSystem::real,
    .boltzmann = boltzmann_si / kilocalorie_per_mol,
    .energy_per_mv2 = 1e7 / (1000 * calorie),  // g/mol (1e5 m/s)^2 = 1e7 J/mol
    .acceleration = 1000 * calorie / 1e7,
    .pressure = kilocalorie_per_mol / (cubic_angstrom * atmosphere),
    .coulomb = coulomb_si / kilocalorie_per_mol,
    .gram_per_cm3 = density,
    .siemens_per_metre = electron_volt * electron_volt / kilocalorie_per_mol / (angstrom * 1e-15),
    .watt_per_metre_kelvin = kilocalorie_per_mol / (angstrom * 1e-15),
    .length_name = "Angstrom",
    .time_name = "fs",
    .velocity_name = "Angstrom fs-1",
    .force_name = "kcal mol-1 Angstrom-1",
    .energy_name = "kcal mol-1",
    .mass_name = "g mol-1",
    .charge_name = "e",
    .temperature_name = "K",
    .pressure_name = "atm",
};

}  // namespace

std::span<const std::string_view> unit_system_names() {
  static constexpr std::array<std::string_view, 3> words{"lj", "metal", "real"};
  return words;
}

const Units& units_of(UnitSystem system) {
  switch (system) {
    case UnitSystem::metal:
      return metal_units;
    case UnitSystem::real:
      return real_units;
    default:
      return lj_units;
  }
}

}  // namespace gsim::md
