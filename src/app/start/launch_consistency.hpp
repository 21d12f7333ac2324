#pragma once
// All ranks of a run must be the same program with the same arguments: otherwise they call
// different collectives, and hang or crash far from the cause. The comparison is made before any
// other work.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"

namespace gsim::app {

/// One property of how a rank was started, such as {"argument 2", "run.toml"}.
struct LaunchFact {
  std::string name;
  std::string value;
  bool operator==(const LaunchFact&) const = default;
};

/// The build of the program and of libgsim, the arguments, the current folder, and the environment
/// variables whose names begin with GSIM_, of this process.
std::vector<LaunchFact> launch_facts(int argc, const char* const* argv);

/// A message about the first fact in which `mine`, of rank `rank` on node `node`, differs from
/// `root`, of rank 0 on `root_node`; empty where they are the same.
std::string launch_difference(const std::vector<LaunchFact>& root, const std::string& root_node,
                              const std::vector<LaunchFact>& mine, const std::string& node,
                              int rank);

/// InputError on all ranks, about the lowest rank that was started differently from rank 0.
/// Collective; must be called before all other collective functions.
void require_consistent_launch(const Communicator& communicator,
                               const std::vector<LaunchFact>& mine);

/// InputError on all ranks if an environment variable has the name of one that was renamed.
/// Collective; the facts are the same on all ranks.
void refuse_renamed_variables(const Communicator& communicator,
                              const std::vector<LaunchFact>& facts);

}  // namespace gsim::app
