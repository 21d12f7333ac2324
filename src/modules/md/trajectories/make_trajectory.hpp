#pragma once
// Makes trajectory writers from the tables [[trajectory]].

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/modules/md/sampling/output_setup.hpp"
#include "src/modules/md/trajectories/trajectory_config.hpp"

namespace gsim::md {

/// ConfigError for files that cannot be written, or that are one of `others`. Not collective: for
/// rank 0.
void check_trajectories(const std::vector<TrajectoryConfig>& list, const std::string& output,
                        std::span<const std::string> others = {});

/// One observer for each table, in their order. InputError for unknown types.
std::vector<std::unique_ptr<Observer>> make_trajectories(const std::vector<TrajectoryConfig>& list,
                                                         const OutputSetup& setup);

}  // namespace gsim::md
