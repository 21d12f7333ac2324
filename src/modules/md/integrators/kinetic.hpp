#pragma once
// Kinetic energies and momenta of all ranks' atoms: whole numbers of one quantum, so that a sum has
// the same bits however atoms are spread over ranks.

#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/md/integrators/advance.hpp"
#include "src/modules/md/integrators/motion.hpp"

namespace gsim::md {

/// What sums of m v v are counted in, in mass velocity^2, and sums of m v, in mass velocity: the
/// power of two next below 2^-44 energy units. A term may come to 2^18 energy units, a hundred
/// thousand times what an atom has at any temperature that matter is simulated at.
double kinetic_quantum(const Units& units);

/// Kinetic sums of parts of the system: the classes c with part[c] = 0, 1, …; a class with a
/// negative part counts nowhere.
class KineticSummation {
 public:
  KineticSummation(const MotionSetup& setup, std::span<const int> part, int parts);

  /// Of the atoms as they are. Collective.
  std::vector<KineticSums> operator()(Particles& particles) const;
  /// The same after the kick that ends a step, of `factor` by class. Collective.
  std::vector<KineticSums> after_kick(Particles& particles, View<const double> factor,
                                      const KickShape& shape) const;

 private:
  void add_parts(Particles& particles, int first, std::vector<ExactSum>& sums) const;
  std::vector<KineticSums> total(std::vector<ExactSum>& sums) const;

  Executor executor_;
  Communicator communicator_;
  double energy_, momentum_;                     // of one quantum
  std::vector<Array<double>> masses_in_quanta_;  // by part, then by class; 0: does not count
};

}  // namespace gsim::md
