#pragma once
// What this process may use of its node's processors; the parts that tests feed with made-up facts.

#include <string>
#include <vector>

#include "gsim/exec/executor.hpp"

namespace gsim::detail {

/// The CPU levels named in `names` ("avx2 avx512"), in rising order, that are also in `runnable`.
/// Throws InputError, which names both, where there are none.
std::vector<Target> usable_cpu_targets(const std::string& names,
                                       const std::vector<Target>& runnable);

/// The level of `available` (in rising order, not empty) that `wish` names (the value of
/// GSIM_CPU_LEVEL), or the highest for no wish (null or empty). Throws InputError for an unknown
/// name or a level that is not in `available`.
Target choose_cpu_target(const std::vector<Target>& available, const char* wish);

/// Processors that cgroup v2 grants, rounded up: the tightest cpu.max from the group named in
/// `proc_self_cgroup` (the text of /proc/self/cgroup) up to the top of the tree mounted at `mount`.
/// 0: no limit.
int cgroup_processors(const std::string& mount, const std::string& proc_self_cgroup);

/// A positive whole number of the environment variable `name`; 0 when unset or empty; InputError
/// for anything else.
int positive_environment_number(const char* name);

/// Processors in this thread's affinity mask.
int affinity_processors();

}  // namespace gsim::detail
