#pragma once
// Text or binary files to which data are appended during a run. Data are appended to NAME.part.1; a
// checkpoint flushes it to disk and records its length; a run that resumes truncates it to that
// length. At the end the file is renamed to NAME. The number of the part is above those of an
// unfinished earlier run, whose checkpoint stays usable until this run has two checkpoints of its
// own.
//
// A file may begin with a header of fixed length whose contents are known only at the end, for
// example the number of records.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// All members except path() are collective; errors are thrown on all ranks. Rank 0 holds the file.
class AppendOnlyFile {
 public:
  /// Does not access the disk. `header_bytes`: length of the header, which is filled with zeros
  /// until finish().
  AppendOnlyFile(Communicator communicator, std::string path, Index header_bytes = 0);
  /// Data since the last save() are lost unless finish() was called.
  ~AppendOnlyFile();
  AppendOnlyFile(const AppendOnlyFile&) = delete;
  AppendOnlyFile& operator=(const AppendOnlyFile&) = delete;

  const std::string& path() const;

  /// Starts with an empty file. Either start() or restore() must be called first; both hold the
  /// lock path().lock from then on (InputError if another run holds it).
  void start();
  /// Appends the data of all ranks in rank order. Rank 0 temporarily holds all of them, so long
  /// data should be passed in pieces. IoError if the disk is full.
  void append(std::string_view mine);
  /// Flushes the data to disk and writes the data for restore() under `prefix`.
  void save(DatasetWriter& writer, std::string_view prefix);
  /// Continues after the data that the checkpoint covers; if the run had finished and the file has
  /// its final name already, from a copy of it. IoError if the file is missing or differs.
  void restore(DatasetReader& reader, std::string_view prefix);
  /// As SegmentedFile::keep_files_of_other_runs(), for parts of other runs.
  void keep_files_of_other_runs();
  /// Writes the header, which must have the announced length, and renames the file. An existing
  /// file at path() with other contents is backed up as path() with .1, .2, … before its extension;
  /// returns the name of the backup, or an empty string. Further calls do nothing.
  std::string finish(std::string_view header = {});

  /// Digest of the data so far, without the header; the same on every rank and for any number of
  /// ranks.
  std::uint64_t digest();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim
