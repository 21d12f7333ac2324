#pragma once
// File system operations for durable, atomically replaced files. Errors are IoErrors with path and
// reason.

#include <cerrno>
#include <string>

#include "gsim/core/types.hpp"

namespace gsim::io {

/// Reason and remedy for an errno: "no space left on device; free some, or write to another disk".
std::string describe_errno(int error_number);

/// Creates the folder of `path` and an empty file (gsim/io/new_file.hpp), so that errors are
/// reported before HDF5 opens it. Throws if `path` or `final_path` is a folder.
void prepare_file(const std::string& path, const std::string& final_path);

/// Outcome of a reservation of disk space.
enum class Reservation { reserved, not_supported };

/// Reserves disk space for the first `bytes` of a file, if the file system supports it. A full disk
/// or an exceeded quota is an IoError.
Reservation reserve_space(const std::string& path, Index bytes);

/// Throws IoError if the process's limit on file sizes is below `bytes`.
void check_file_size_limit(const std::string& path, Index bytes);

/// Releases reserved space beyond the end of the file.
void release_reservation(const std::string& path);

/// Flushes the contents of a file to disk.
void sync_file(const std::string& path);

/// Renames a file and flushes the new directory entry to disk.
void rename_into_place(const std::string& from, const std::string& to);

/// Truncates a file to `bytes`; does not follow symbolic links.
void truncate_file(const std::string& path, Index bytes);

/// Truncates and removes a file; of a symbolic link only the link is removed. Never throws.
void discard_file(const std::string& path) noexcept;

/// Size in bytes; -1 if there is no such regular file.
Index file_size(const std::string& path);

}  // namespace gsim::io
