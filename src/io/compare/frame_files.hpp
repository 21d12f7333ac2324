#pragma once
// The parts of compare_files(), by format.

#include <memory>
#include <string>

#include <zlib.h>

#include "gsim/io/compare_files.hpp"

namespace gsim::io {

/// A file that may be compressed by gzip.
class PackedFile {
 public:
  /// InputError if it is not a regular file, or cannot be opened.
  explicit PackedFile(const std::string& path);
  /// Reads at most `count` bytes; returns their number, which is smaller at the end of the file.
  std::size_t read(char* to, std::size_t count);
  /// Reads a line without its end; false at the end of the file.
  bool read_line(std::string& line);
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

/// Adds a value that differs to `out`, the first of its frame or of all.
void add_difference(FileComparison& out, FileDifference difference);

FileComparison compare_hdf5_files(const std::string& first, const std::string& second);
FileComparison compare_particle_lists(const std::string& first, const std::string& second);
FileComparison compare_text_trajectories(const std::string& first, const std::string& second);

}  // namespace gsim::io
