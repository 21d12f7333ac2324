#pragma once
// The data of the run that the thermo table and trajectories need, in addition to ObserverSetup.

#include <functional>
#include <string>
#include <vector>

#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct BondedParameters;

struct OutputSetup : ObserverSetup {
  std::vector<std::string> energy_names = {};             ///< contributions to the potential energy
  std::vector<IntegratorColumn> integrator_columns = {};  ///< Integrator::columns()
  std::vector<Index> given_ids = {};                      ///< AtomSystem::given_ids
  ForceQuanta quanta = {};
  std::string output = {};  ///< path of the result file without ".h5": prefix of further files
  std::vector<std::string> type_elements = {};  ///< StartConfig::type_elements()
  const Topology* topology = nullptr;           ///< null if the system has none
  const BondedParameters* bonded = nullptr;  ///< parameters of the bond, angle and dihedral types
  std::vector<CoefficientSection> coefficients = {};  ///< StartConfig::coefficients
  /// The molecule numbers of the atoms in a range of indices (AtomColumns::molecule); empty if they
  /// are unknown.
  std::function<std::vector<std::int64_t>(IndexRange)> molecules = {};
};

}  // namespace gsim::md
