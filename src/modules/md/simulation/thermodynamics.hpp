#pragma once
// Thermodynamic quantities from exact sums over atoms.

#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

/// Energies and virial of the whole system, in energy units.
struct ForceTotals {
  std::vector<double> energies;  ///< one for each contribution
  double potential = 0;          ///< sum of `energies`
  double virial[6] = {};         ///< sum of r_a F_b
};

/// Computes the sums and the rows of the thermo table.
class Thermodynamics {
 public:
  /// The fixed-point unit of kinetic sums is 2^-48 times m v^2 of the heaviest atom at
  /// `typical_speed`; no atom may be faster than 100 times this speed.
  Thermodynamics(Executor executor, Communicator communicator, const Units& units,
                 std::span<const AtomClass> classes, double typical_speed);

  /// Kinetic sums over all ranks, in one reduction. Collective; the same on every rank.
  KineticSums kinetic(Particles& particles) const;
  /// Energies and virial of all force terms; energies in the order of the terms.
  ForceTotals totals(std::span<const ForceSums> parts, const ForceQuanta& quanta) const;
  /// The thermo row of a step. `conserved`: the contribution of the integrator to the
  /// conserved quantity.
  Thermo thermo(Index step, double time, const Box& box, const KineticSums& kinetic,
                const ForceTotals& totals, double degrees_of_freedom, double conserved) const;
  double total_mass() const { return total_mass_; }

 private:
  Executor executor_;
  Communicator communicator_;
  const Units* units_;
  double quantum_, total_mass_ = 0;
  Array<double> mass_in_quanta_;
};

}  // namespace gsim::md
