#pragma once
// Files with numbers that are going to be one file: segments of a SegmentedFile, parts of a
// AppendOnlyFile.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::io {

/// NAME.KIND.N, "run.h5md.seg.1": files that are going to be NAME.
std::string numbered_path(const std::string& path, std::string_view kind, Index number);
inline std::string segment_path(const std::string& path, Index number) {
  return numbered_path(path, "seg", number);
}
/// Their numbers, as the folder has them, rising.
std::vector<Index> list_numbered_files(const std::string& path, std::string_view kind);
/// Removes those for which `is_old` holds, and all that were left half-written
/// (NAME.KIND.N.partial). What cannot be removed costs space and nothing else.
void remove_numbered_files(const std::string& path, std::string_view kind,
                           const std::function<bool(Index)>& is_old);

}  // namespace gsim::io
