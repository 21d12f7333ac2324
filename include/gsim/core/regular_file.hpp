#pragma once
// Checks that an input is a regular file: opening a pipe without a writer, or reading a device,
// could block forever.

#include <string>

namespace gsim {

/// Describes the object at `path` if it is not a regular file: "a folder, not a file"; "not a
/// regular file, but a pipe, a device or a socket"; for /proc and /sys "a virtual file of the
/// kernel, not a file on a disk". Empty for a regular file, and if nothing exists at `path`.
std::string irregular_file_kind(const std::string& path);

/// The reason why there is no regular file at `path`, as a clause: "there is no such file", "it is
/// a folder, not a file"; empty for a regular file.
std::string regular_file_problem(const std::string& path);

}  // namespace gsim
