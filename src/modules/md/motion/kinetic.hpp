#pragma once
// Kinetic energies and momenta of all ranks' atoms: whole numbers of one quantum, so that a sum has
// the same bits however atoms are spread over ranks.

#include <span>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "src/modules/md/motion/motion.hpp"

namespace gsim::md {

/// What sums of m v v are counted in, in mass velocity^2, and sums of m v, in mass velocity: the
/// power of two next below 2^-44 energy units. A term may come to 2^18 energy units, a hundred
/// thousand times what an atom has at any temperature that matter is simulated at.
double kinetic_quantum(const Units& units);

/// The sums over the ranks' atoms of classes that are counted.
class KineticSummation {
 public:
  /// Counts class c where `counts[c]` (empty: all).
  KineticSummation(const MotionSetup& setup, std::span<const bool> counts = {});

  /// Masses in quanta, by class; zero where a class does not count.
  View<const double> masses() const { return masses_.view(); }
  /// The sums of atoms as they are now. Collective.
  KineticSums operator()(Particles& particles) const;
  /// What quanta of this rank (`sums`: as KineticSumsArgs says) come to on all ranks. Collective.
  KineticSums total(std::span<ExactSum, 9> sums) const;

 private:
  Executor executor_;
  Communicator communicator_;
  double energy_, momentum_;  // of one quantum
  Array<double> masses_;
};

}  // namespace gsim::md
