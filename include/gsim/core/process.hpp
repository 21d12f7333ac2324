#pragma once
// Processes of this machine.

#include <string>

namespace gsim {

/// The start of a process in clock ticks since the machine was started, which tells it from a later
/// one with the same id: field 22 of /proc/PID/stat (proc(5)). Empty if there is no such process.
std::string process_start(int pid);

}  // namespace gsim
