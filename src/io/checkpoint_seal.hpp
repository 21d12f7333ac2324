#pragma once
// The seal at the end of a checkpoint, after HDF5's own bytes: it proves that the file is whole and
// that everything but the contents of the state's datasets is as it was written. It is checked
// before HDF5 parses the file, because HDF5 is not safe against damaged structures. The contents
// have their digests inside the file.

#include <optional>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::io {

/// Bytes [offset, offset + length) of a file.
struct Extent {
  Index offset = 0;
  Index length = 0;
};

/// Appends the seal to `path`, in which `contents` are digested elsewhere, and flushes it to disk.
void append_seal(const std::string& path, std::vector<Extent> contents);

/// What is wrong with the file, or nothing: "is empty", "is truncated", ….
std::optional<std::string> check_seal(const std::string& path);

}  // namespace gsim::io
