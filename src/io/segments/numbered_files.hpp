#pragma once
// Numbered files that will be joined to one file: segments of a SegmentedFile, parts of an
// AppendOnlyFile.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::io {

/// The path NAME.KIND.N of a numbered file of NAME: "run.h5md.seg.1".
std::string numbered_path(const std::string& path, std::string_view kind, Index number);
/// The kind of the segments of a SegmentedFile.
inline constexpr const char* segment_kind = "seg";
inline std::string segment_path(const std::string& path, Index number) {
  return numbered_path(path, segment_kind, number);
}
/// The numbers of the existing files, ascending.
std::vector<Index> list_numbered_files(const std::string& path, std::string_view kind);
/// Removes the files for which `is_old` returns true, and all partial ones (NAME.KIND.N.partial).
/// Errors are ignored, since a remaining file only costs space.
void remove_numbered_files(const std::string& path, std::string_view kind,
                           const std::function<bool(Index)>& is_old);

}  // namespace gsim::io
