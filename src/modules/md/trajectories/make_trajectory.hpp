#pragma once
// From [[trajectory]] tables to observers.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/modules/md/sampling/output_setup.hpp"
#include "src/modules/md/trajectories/trajectory_config.hpp"

namespace gsim::md {

/// Refuses, before any work, files that may not be written, or that are one of `others`:
/// ConfigError. Not collective: for rank 0.
void check_trajectories(const std::vector<TrajectoryConfig>& list, const std::string& output,
                        std::span<const std::string> others = {});

/// One observer a table, in their order. InputError for types that there are not.
std::vector<std::unique_ptr<Observer>> make_trajectories(const std::vector<TrajectoryConfig>& list,
                                                         const OutputSetup& setup);

}  // namespace gsim::md
