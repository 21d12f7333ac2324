#pragma once
// What becomes of a file whose name a new one is going to take.

#include <string>

namespace gsim {

/// Gives the file at `path` a second name, the first free one of NAME.1.EXT, NAME.2.EXT, …, so that
/// a new one may take its first; by a hard link, or by renaming where there are no links. Returns
/// that name. IoError where neither can be done.
std::string keep_under_free_name(const std::string& path);

}  // namespace gsim
