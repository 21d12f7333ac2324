#pragma once
// What durable, atomic files need of the operating system. Errors are IoErrors with path and
// reason.

#include <cerrno>
#include <string>

#include "gsim/core/types.hpp"

namespace gsim::io {

/// "no space left on device; free some, or write to another disk": reason and remedy of an errno.
std::string describe_errno(int error_number);

/// Makes the folder of `path` and the file itself anew (gsim/io/new_file.hpp), so that every
/// reason not to can be told before HDF5 starts. Refuses when `path` or `final_path` is a folder.
void prepare_file(const std::string& path, const std::string& final_path);

/// Reserves disk space for the first `bytes` of a file; false where the file system cannot. A full
/// disk or quota is an IoError.
bool reserve_space(const std::string& path, Index bytes);

/// IoError when this process may not make a file of `bytes`.
void check_file_size_limit(const std::string& path, Index bytes);

/// Gives back what was reserved beyond the end of the file.
void release_reserve(const std::string& path);

/// Flushes a file's contents to the disk.
void sync_file(const std::string& path);

/// Renames and makes the new name durable.
void rename_into_place(const std::string& from, const std::string& to);

/// Cuts a file off at `bytes`; not through a symbolic link.
void truncate_file(const std::string& path, Index bytes);

/// Gives a file's blocks back, then its name; of a symbolic link the name alone. Never throws.
void discard_file(const std::string& path) noexcept;

/// Size in bytes, or -1 when there is no such regular file.
Index file_size(const std::string& path);

}  // namespace gsim::io
