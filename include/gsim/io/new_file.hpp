#pragma once
// Files under names that others can foresee ("run.h5.partial"), in folders that others may write
// to.

#include <string>

namespace gsim {

/// Makes an empty file at `path`. What stands there, which an ended run may have left, is removed
/// first and is never opened: where it is a symbolic link, what the link names stays as it is.
/// IoError with the reason when the file cannot be made, or when somebody else makes one at the
/// same moment.
void make_new_file(const std::string& path);

}  // namespace gsim
