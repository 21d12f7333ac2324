#pragma once
// Files that a configuration names (trades, grids): read once a run, and kept as they were read, so
// that every rank works from the same text, a checkpoint can tell another text, and results hold
// what they were made from.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gsim {

struct InputFile {
  std::string path;
  /// As read, to the byte, and unpacked where it is a gzip file; empty where `problem` is not.
  std::string text;
  std::string problem;     ///< why it could not be read, a clause that names it; or empty
  bool is_hdf5 = false;    ///< text is empty then: who wants such a file opens it by its path
  bool is_binary = false;  ///< it begins like no text (unpacked, and no HDF5): likewise
};

/// Where texts come from. A file that cannot be read is no error yet: it comes with its problem.
using FileReader = std::function<InputFile(const std::string& path)>;

/// The text or HDF5 file at `path` of this machine's disk; what is no regular file has a problem.
InputFile read_input_file(const std::string& path);

/// Gives what is in `files`, and nothing else: for ranks that must not look for themselves. A path
/// that is not in there is an internal error.
FileReader reader_of(std::vector<InputFile> files);

/// Digest (core/digest.hpp) of all texts, in order; 0 when there are none. Paths do not count.
std::uint64_t digest_of(std::span<const InputFile> files);

}  // namespace gsim
