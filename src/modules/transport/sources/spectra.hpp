#pragma once
// Energy spectra of sources as probabilities of groups: exact integrals over the groups, so that no
// energy is ever sampled.

#include <span>
#include <vector>

namespace gsim::transport {

/// Probabilities of the groups, the fastest first, and what part of the spectrum lies outside of
/// all groups. The probabilities sum to 1 - outside.
struct GroupSpectrum {
  std::vector<double> probability;
  double outside = 0;
};

// `bounds`: energies between the groups, eV, falling.

/// sqrt(E) exp(-E / temperature) (temperature in eV): integrals by the error function.
GroupSpectrum maxwell_spectrum(std::span<const double> bounds, double temperature);

/// exp(-E / a) sinh(sqrt(b E)) (a in eV, b in 1/eV), the spectrum of B. E. Watt, Phys. Rev. 87
/// (1952) 1037: a Maxwellian seen from a frame that moves with speed g = sqrt(a b) / 2, so that
/// below r = sqrt(E / a) lies (erf(r - g) + erf(r + g)) / 2 - (exp(-(r - g)^2) - exp(-(r + g)^2)) /
/// (2 g sqrt(pi)).
GroupSpectrum watt_spectrum(std::span<const double> bounds, double a, double b);

/// Lines of given energies (eV) and intensities; a line on a bound belongs to the faster group.
GroupSpectrum line_spectrum(std::span<const double> bounds, std::span<const double> energies,
                            std::span<const double> intensities);

/// A density given at rising energies: linear between them, or, with one value less than energies,
/// constant between them.
GroupSpectrum tabulated_spectrum(std::span<const double> bounds, std::span<const double> energies,
                                 std::span<const double> densities);

/// The group (from 0 on) that `energy` (eV) is in; -1: none. A bound belongs to the faster group,
/// but the highest one to the first group.
int group_of(std::span<const double> bounds, double energy);

}  // namespace gsim::transport
