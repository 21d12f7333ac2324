#pragma once
// The run as the thermo table and trajectories need it, beside what observers need.

#include <functional>
#include <string>
#include <vector>

#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/integrators/motion.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct BondedParameters;

struct OutputSetup : ObserverSetup {
  std::vector<std::string> energy_names = {};     ///< contributions to the potential energy
  std::vector<MotionColumn> motion_columns = {};  ///< Motion::columns()
  std::vector<Index> given_ids = {};              ///< AtomSystem::given_ids
  ForceQuanta quanta = {};
  std::string output = {};  ///< path of the result file without ".h5": prefix of further files
  std::vector<std::string> type_elements = {};        ///< StartConfig::type_elements()
  const Topology* topology = nullptr;                 ///< null where the system has none
  const BondedParameters* bonded = nullptr;           ///< of the topology's types
  std::vector<CoefficientSection> coefficients = {};  ///< StartConfig::coefficients
  /// Molecules of the atoms with these indices, AtomColumns::molecule; empty where they are
  /// unknown.
  std::function<std::vector<std::int64_t>(IndexRange)> molecules = {};
};

}  // namespace gsim::md
