#pragma once
// Processes of this machine.

#include <string>

namespace gsim {

/// The start of a process in clock ticks since the machine was started, which tells it from a later
/// one with the same id: field 22 of /proc/PID/stat (proc(5)). Empty if there is no such process,
/// or if it has ended and its parent has not waited for it.
std::string process_start(long pid);

}  // namespace gsim
