#pragma once
// Files that a configuration names (trades, grids). They are read once in a run and kept, so that
// every rank has the same text, a checkpoint can be compared with it, and results contain their
// input.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gsim {

struct InputFile {
  std::string path;
  /// The contents, unpacked where it is a gzip file; empty if there is a problem.
  std::string text;
  std::string problem;     ///< why it could not be read, with its name; or empty
  bool is_hdf5 = false;    ///< text is then empty: the file is opened by its path
  bool is_binary = false;  ///< neither text nor HDF5 when unpacked; text is then empty
};

/// A function that reads files by path. A file that cannot be read is returned with its problem.
using FileReader = std::function<InputFile(const std::string& path)>;

/// Reads the file at `path` from the disk; anything but a regular file is a problem.
InputFile read_input_file(const std::string& path);

/// A reader that returns the given files: for ranks that get them from rank 0. It throws
/// an internal error for another path.
FileReader reader_of(std::vector<InputFile> files);

/// Digest (core/digest.hpp) of all texts, in order; 0 when there are none. Paths are not included.
std::uint64_t digest_of(std::span<const InputFile> files);

}  // namespace gsim
