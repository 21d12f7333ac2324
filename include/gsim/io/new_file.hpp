#pragma once
// Safe creation of files with predictable names ("run.h5.partial") in folders that others may write
// to.

#include <string>

namespace gsim {

/// Creates an empty file at `path`. An existing object, such as a file left by an earlier run, is
/// removed first and never opened: the target of a symbolic link remains unchanged. IoError with
/// the reason if the file cannot be created, or if another process creates one at the same moment.
void make_new_file(const std::string& path);

}  // namespace gsim
