#pragma once
// Kinetic energies and momenta of the atoms of all ranks, summed in fixed point, so that a sum has
// the same bits for every distribution of atoms over ranks.

#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "kernels/md/integrators/advance.hpp"

namespace gsim::md {

/// Fixed-point unit of sums of m v v (in mass velocity^2) and of m v (in mass velocity): the power
/// of two next below 2^-44 energy units. A term may be as large as 2^18 energy units, a hundred
/// thousand times the kinetic energy of an atom at usual temperatures.
double kinetic_quantum(const Units& units);

/// Kinetic sums of parts of the system: part p consists of the classes c with part[c] = p; a class
/// with a negative number belongs to no part.
class KineticSummation {
 public:
  KineticSummation(const IntegratorSetup& setup, std::span<const int> part, int parts);

  /// Sums of the present velocities. Collective.
  std::vector<KineticSums> operator()(Particles& particles) const;
  /// Kicks the velocities by the half kick that ends a step (`factor`: by class, see KickSumsArgs)
  /// and returns the sums. Collective.
  std::vector<KineticSums> after_kick(Particles& particles, View<const double> factor,
                                      const HalfKick& half_kick) const;
  /// On a device: kicks the velocities, in a box that does not change or, unless null, in `box`,
  /// and adds the sums of this rank, in quanta, to 9 numbers for each part in its memory. The host
  /// does not wait.
  void after_kick(Particles& particles, View<const double> factor, WideInteger* sums,
                  const ChangingBox* box = nullptr) const;

 private:
  /// Adds the sums of the parts from number `first` on to `sums`, 9 for each part.
  void add_parts(Particles& particles, int first, std::vector<ExactSum>& sums) const;
  /// The sums over all ranks, in units of the run.
  std::vector<KineticSums> total(std::vector<ExactSum>& sums) const;

  Executor executor_;
  Communicator communicator_;
  double energy_quantum_, momentum_quantum_;     // values of one fixed-point unit
  std::vector<Array<double>> masses_in_quanta_;  // by part, then by class; 0: not in the part
};

}  // namespace gsim::md
