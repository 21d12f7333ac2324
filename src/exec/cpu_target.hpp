#pragma once
// CPU levels and processors that this process may use, as functions that tests call with given
// data.

#include <string>
#include <vector>

#include "gsim/exec/executor.hpp"

namespace gsim::detail {

/// The CPU levels listed in `names` ("avx2 avx512") that are also in `runnable`, in ascending
/// order. Throws InputError, which lists both, if there are none.
std::vector<Target> usable_cpu_targets(const std::string& names,
                                       const std::vector<Target>& runnable);

/// The level in `available` (ascending, not empty) named by `requested` (the value of
/// GSIM_CPU_LEVEL), or the highest if `requested` is null or empty. Throws InputError for an
/// unknown name or a level that is not in `available`.
Target choose_cpu_target(const std::vector<Target>& available, const char* requested);

/// Number of processors that cgroup v2 grants, rounded up: the smallest cpu.max from the group
/// named in `proc_self_cgroup` (the text of /proc/self/cgroup) up to the root of the hierarchy
/// mounted at `mount`. 0: no limit.
int cgroup_processors(const std::string& mount, const std::string& proc_self_cgroup);

/// Number of processors in the affinity mask of this thread.
int affinity_processors();

}  // namespace gsim::detail
