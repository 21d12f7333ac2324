#pragma once
// The processors of this node that the process may use.

#include <bitset>

namespace gsim {

/// Numbers of the processors in the calling thread's affinity mask; the first 1024 of a node.
std::bitset<1024> allowed_processors();

/// Processors that the control group grants (cgroup v2, cpu.max), rounded up; 0: no limit.
int granted_processors();

}  // namespace gsim
