#include "gsim/md/units.hpp"

#include <doctest/doctest.h>

using namespace gsim::md;

TEST_CASE("units: all conversion factors of lj units are 1") {
  const Units& u = units_of(UnitSystem::lj);
  for (const double factor :
       {u.boltzmann, u.energy_per_mv2, u.acceleration, u.pressure, u.coulomb, u.gram_per_cm3})
    CHECK(factor == 1.0);
  CHECK(u.length_name.empty());
}

TEST_CASE("units: conversion factors of metal and real units agree with published constants") {
  // CODATA 2018: kB in eV/K, e^2 / (4 pi eps0) = 14.399645478 eV angstrom, molar gas constant.
  const Units& metal = units_of(UnitSystem::metal);
  CHECK(metal.boltzmann == doctest::Approx(8.617333262145179e-5).epsilon(1e-15));
  CHECK(metal.coulomb == doctest::Approx(14.3996454784).epsilon(1e-9));
  CHECK(metal.pressure == doctest::Approx(1602176.634).epsilon(1e-15));
  CHECK(metal.energy_per_mv2 == doctest::Approx(1.0364269656e-4).epsilon(1e-10));
  const Units& real = units_of(UnitSystem::real);
  CHECK(real.boltzmann == doctest::Approx(8.31446261815324 / 4184).epsilon(1e-14));
  CHECK(real.coulomb == doctest::Approx(332.06371330).epsilon(1e-9));
  CHECK(real.pressure == doctest::Approx(68568.415).epsilon(1e-6));
  CHECK(real.gram_per_cm3 == doctest::Approx(1.66053906717).epsilon(1e-10));
  for (const Units& u : {metal, real})
    CHECK(u.acceleration * u.energy_per_mv2 == doctest::Approx(1.0).epsilon(1e-15));
}

TEST_CASE("units: LAMMPS's Boltzmann constants differ from the SI's by the documented amounts") {
  CHECK(8.617343e-5 / units_of(UnitSystem::metal).boltzmann - 1 ==
        doctest::Approx(1.13e-6).epsilon(0.01));
  CHECK(0.0019872067 / units_of(UnitSystem::real).boltzmann - 1 ==
        doctest::Approx(6.3e-8).epsilon(0.2));
}
