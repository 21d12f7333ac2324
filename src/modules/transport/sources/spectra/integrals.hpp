#pragma once
// Integrals of energy spectra over the groups, from which the history kernel samples groups; it
// does not sample energies.

#include <span>
#include <vector>

#include "gsim/transport/source_distribution.hpp"

namespace gsim::transport {

// `bounds`: energies between the groups, decreasing, eV.

/// sqrt(E) exp(-E / temperature) (temperature in eV): integrals by the error function.
GroupSpectrum maxwell_spectrum(std::span<const double> bounds, double temperature);

/// exp(-E / a) sinh(sqrt(b E)) (a in eV, b in 1/eV), the spectrum of B. E. Watt, Phys. Rev. 87
/// (1952) 1037: a Maxwellian in a frame that moves with the speed g = sqrt(a b) / 2. Its
/// distribution function of r = sqrt(E / a) is (erf(r - g) + erf(r + g)) / 2 -
/// (exp(-(r - g)^2) - exp(-(r + g)^2)) / (2 g sqrt(pi)).
GroupSpectrum watt_spectrum(std::span<const double> bounds, double a, double b);

/// Lines of given energies (eV) and intensities; a line on a bound belongs to the faster group.
GroupSpectrum line_spectrum(std::span<const double> bounds, std::span<const double> energies,
                            std::span<const double> intensities);

/// A density given at increasing energies: linear between them or, with one value less than
/// energies, constant between them.
GroupSpectrum tabulated_spectrum(std::span<const double> bounds, std::span<const double> energies,
                                 std::span<const double> densities);

/// The group (from 0 on) of an energy (eV); -1: none. A bound belongs to the faster group, and the
/// highest bound to the first group.
int group_of(std::span<const double> bounds, double energy);

}  // namespace gsim::transport
