#pragma once
// What is read as an input has to be a file of a disk: opening a pipe that nobody writes to, or
// reading a device, would take for ever.

#include <string>

namespace gsim {

/// What stands at `path` where that is something else than a file: "a folder, not a file"; "no
/// regular file, but a pipe, a device or a socket"; "a file of the kernel's, not of a disk" (/proc,
/// /sys). Empty for a file, and where there is nothing.
std::string irregular_file_kind(const std::string& path);

/// Why there is no file to read at `path`, a clause: "there is no such file", "it is a folder, not
/// a file"; empty for a file.
std::string regular_file_problem(const std::string& path);

}  // namespace gsim
