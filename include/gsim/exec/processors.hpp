#pragma once
// The processors of this node that the process may use.

#include <bitset>
#include <string>
#include <vector>

#include "gsim/exec/executor.hpp"

namespace gsim {

/// A list of targets for messages: "base, avx2".
std::string to_string(const std::vector<Target>& targets);

/// The processors in the affinity mask of the calling thread; the first 1024 of a node.
std::bitset<1024> allowed_processors();

/// Number of processors that the control group grants (cgroup v2, cpu.max), rounded up; 0: no
/// limit.
int granted_processors();

}  // namespace gsim
