#pragma once
// The processors of this node that the process may use, and the names of their levels.

#include <bitset>
#include <string>
#include <vector>

#include "gsim/exec/executor.hpp"

namespace gsim {

/// "base, avx2": for messages.
std::string to_string(const std::vector<Target>& targets);

/// Numbers of the processors in the calling thread's affinity mask; the first 1024 of a node.
std::bitset<1024> allowed_processors();

/// Processors that the control group grants (cgroup v2, cpu.max), rounded up; 0: no limit.
int granted_processors();

}  // namespace gsim
