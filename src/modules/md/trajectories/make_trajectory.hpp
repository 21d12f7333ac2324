#pragma once
// Creates trajectory writers from the tables [[trajectory]].

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/modules/md/sampling/output_setup.hpp"
#include "src/modules/md/trajectories/trajectory_config.hpp"

namespace gsim::md {

/// ConfigError for files that cannot be written or are among the files `others` of the run. Not
/// collective: called by rank 0.
void check_trajectories(const std::vector<TrajectoryConfig>& list, const std::string& output,
                        std::span<const std::string> others = {});

/// One observer for each table, in the same order. InputError for unknown types.
std::vector<std::unique_ptr<Observer>> make_trajectories(const std::vector<TrajectoryConfig>& list,
                                                         const OutputSetup& setup);

}  // namespace gsim::md
