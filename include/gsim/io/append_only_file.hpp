#pragma once
// Files of text, or of bytes of any kind, that grow during a run. Text goes to the end of
// NAME.part.1; a checkpoint flushes it to the disk and says how long it is; a run that resumes cuts
// off what is beyond. In the end the file takes its NAME. The number of the part is above those
// that an unfinished run left, whose checkpoint stays usable until this run has two of its own.
//
// A file may begin with a head, of fixed length, that is known only in the end: one that holds the
// number of records, say.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// All members but path() are collective; errors are thrown on all ranks. Rank 0 holds the file.
class AppendOnlyFile {
 public:
  /// Touches no disk. `head_bytes`: length of the file's head, zeros until finish().
  AppendOnlyFile(Communicator communicator, std::string path, Index head_bytes = 0);
  /// Text since the last save() is lost unless finish() was called.
  ~AppendOnlyFile();
  AppendOnlyFile(const AppendOnlyFile&) = delete;
  AppendOnlyFile& operator=(const AppendOnlyFile&) = delete;

  const std::string& path() const;

  /// Begins empty. Either this or restore() comes first; both hold path().lock from then on
  /// (InputError when another run does).
  void start();
  /// Adds the ranks' texts in the order of ranks. Rank 0 holds all of them for a moment: long texts
  /// are to be handed over in parts. IoError when the disk is full.
  void append(std::string_view mine);
  /// Makes the text durable and writes what restore() needs under `prefix`.
  void save(DatasetWriter& writer, std::string_view prefix);
  /// Goes on after the text that the checkpoint vouches for; after the end of a run, whose text has
  /// its final name already, from a copy of it. IoError when it is not there, or not that.
  void restore(DatasetReader& reader, std::string_view prefix);
  /// As SegmentedFile's, of the parts of others.
  void keep_others();
  /// Puts in the head, as long as was said, and gives the text its name. What path() held before is
  /// kept as path() with .1, .2, … before its extension when its text differs; returns that name,
  /// or an empty one. Calling it again does nothing.
  std::string finish(std::string_view head = {});

  /// Digest of the text so far, without its head; the same on every rank, whatever their number.
  std::uint64_t digest();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim
