#pragma once
// HDF5 files to which frames are appended during a run (trajectories, tables of observations), such
// that a killed process loses nothing before the last checkpoint.
//
// A parallel HDF5 file that is open for writing does not survive the end of its process. Therefore
// frames are written to segments, NAME.seg.1, NAME.seg.2, …: each is written as .partial, closed,
// flushed and renamed when a checkpoint is made (or when it is large enough). The checkpoint
// records which frames it covers; a run that resumes from it removes later segments and continues.
// At the end all segments are joined into NAME, written as NAME.partial and renamed, and then
// removed; until then NAME, if it exists, belongs to an earlier run. During the join the disk holds
// all frames twice. A run that is killed during the join resumes from its checkpoint and joins
// again; a run that resumes after the join, in order to become longer, takes its frames from NAME.
//
// Segment numbers continue after those of an unfinished earlier run, whose checkpoint stays usable
// until this run has two checkpoints of its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/io/object_writer.hpp"

namespace gsim {

/// Values of one type and shape per frame: the final dataset `path` has the shape [frames][shape…].
struct FrameSeries {
  std::string path;  ///< "particles/trajectory/position/value"
  ElementType type = ElementType::float64;
  std::vector<Index> shape;  ///< shape of one frame; empty: a scalar
  /// The range of the shape[0] rows that this rank provides; the ranges tile [0, shape[0]) in rank
  /// order. If absent, every rank holds the complete frame and that of rank 0 is written.
  std::optional<IndexRange> local = {};
};

struct SegmentedFileOptions {
  /// size of frames that a rank buffers before writing
  std::size_t buffer_bytes = std::size_t{16} << 20;
  std::size_t segment_bytes = std::size_t{64} << 30;  ///< maximum size of a segment
};

/// All members except path() and frames() are collective; errors are thrown on all ranks.
class SegmentedFile {
 public:
  /// Does not access the disk. Error if the ranks' rows do not tile a series.
  SegmentedFile(Communicator communicator, std::string path, std::vector<FrameSeries> series,
                const SegmentedFileOptions& options = {});
  /// Frames since the last save() are lost unless finish() was called.
  ~SegmentedFile();
  SegmentedFile(const SegmentedFile&) = delete;
  SegmentedFile& operator=(const SegmentedFile&) = delete;

  const std::string& path() const;
  Index frames() const;  ///< number of frames so far, the same on all ranks

  /// Starts without frames. Either start() or restore() must be called first; both hold the lock
  /// path().lock from then on (InputError if another run holds it), and throw if path() is a file
  /// that was not written by gsim.
  void start();
  /// Appends a frame: for each series the values of this rank's rows, or all values. IoError if the
  /// disk is full.
  void append(std::span<const void* const> values);
  /// Flushes all frames to disk and writes the data for restore() under `prefix`; a checkpoint that
  /// contains them covers the frames.
  void save(DatasetWriter& writer, std::string_view prefix);
  /// Continues after the frames that the checkpoint covers, on any number of ranks. IoError if
  /// these frames are missing or differ.
  void restore(DatasetReader& reader, std::string_view prefix);
  /// Makes finish() keep segments of other runs as long as a checkpoint of theirs may need them;
  /// without this call it removes them. Not collective; must be called on all ranks or on none.
  void keep_files_of_other_runs();
  /// Joins all frames into path(); `describe` then adds constant data after the series. An existing
  /// file at path() with other frames is backed up as path() with .1, .2, … before its extension;
  /// returns the name of the backup, or an empty string. Further calls do nothing.
  std::string finish(const std::function<void(ObjectWriter&)>& describe);

  /// Digest of all series and frames so far; the same on every rank and for any number of ranks.
  std::uint64_t digest();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Throws InputError if `path` is a file that a SegmentedFile may not replace. For checks before a
/// run; not collective.
void check_replaceable(const std::string& path);

}  // namespace gsim
