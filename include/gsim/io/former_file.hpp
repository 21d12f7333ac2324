#pragma once
// Before a file is written: whether it can be, and what becomes of one whose name it takes.

#include <string>

namespace gsim {

/// Why no file can be made at `path`, in folders that may have to be made first ("results is not
/// writable", "run.toml is no folder"); empty where nothing speaks against it.
std::string why_not_writable(const std::string& path);

/// Gives the file at `path` a second name, the first free one of NAME.1.EXT, NAME.2.EXT, …, so that
/// a new one may take its first; by a hard link, or by renaming where there are no links. Returns
/// that name. IoError where neither can be done.
std::string keep_under_free_name(const std::string& path);

}  // namespace gsim
