#pragma once
// What this process may use of its node's processors; the parts that tests feed with made-up facts.

#include <string>

#include "gsim/exec/executor.hpp"

namespace gsim::detail {

/// Lowers `best` to the level named by `wish` (the value of GSIM_CPU_LEVEL; null or empty: no
/// wish). Throws InputError for an unknown name or a level above `best`.
Target choose_cpu_target(Target best, const char* wish);

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
