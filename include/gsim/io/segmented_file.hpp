#pragma once
// Files that grow during a run, frame by frame (trajectories, tables of what was seen): HDF5 in the
// end, and at no moment lost to a kill.
//
// A file of parallel HDF5 that is open for writing does not survive the end of its process. So
// frames go to segments, NAME.seg.1, NAME.seg.2, …: each is written as .partial, closed, flushed
// and renamed when a checkpoint is made (or when it is large enough). The checkpoint says for which
// frames it vouches; a run that resumes from it removes later segments and goes on. In the end all
// segments are joined into NAME, written as NAME.partial and renamed, and then removed; until then
// NAME, if it is there, is what an earlier run left. The disk must hold the frames twice at that
// moment. A run that is killed during the join resumes from its checkpoint and joins again; one
// that resumes after the join, to become longer, takes its frames from NAME.
//
// Numbers of segments go on from those that an unfinished run left, whose checkpoint stays usable
// until this run has two of its own.

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

/// Values of one type and shape, once a frame: the dataset `path` is [frames][shape…] in the end.
struct FrameSeries {
  std::string path;  ///< "particles/trajectory/position/value"
  ElementType type = ElementType::float64;
  std::vector<Index> shape;  ///< of one frame; empty: one number
  /// Which of the shape[0] rows this rank brings; they tile [0, shape[0]) in rank order. Without:
  /// every rank has the frame whole, and rank 0's is written.
  std::optional<IndexRange> local = {};
};

struct SegmentedFileOptions {
  std::size_t buffer_bytes = std::size_t{16} << 20;   ///< of frames a rank keeps before it writes
  std::size_t segment_bytes = std::size_t{64} << 30;  ///< a segment ends when it holds as much
};

/// All members but path() and frames() are collective; errors are thrown on all ranks.
class SegmentedFile {
 public:
  /// Touches no disk. Error when the ranks' rows do not tile a series.
  SegmentedFile(Communicator communicator, std::string path, std::vector<FrameSeries> series,
                const SegmentedFileOptions& options = {});
  /// Frames since the last save() are lost unless finish() was called.
  ~SegmentedFile();
  SegmentedFile(const SegmentedFile&) = delete;
  SegmentedFile& operator=(const SegmentedFile&) = delete;

  const std::string& path() const;
  Index frames() const;  ///< so far, on any rank

  /// Begins without frames. Either this or restore() comes first; both hold path().lock from then
  /// on (InputError when another run does), and refuse a file at path() that is none of gsim's.
  void start();
  /// One more frame: for each series its values, this rank's rows or all. IoError when the disk is
  /// full.
  void append(std::span<const void* const> values);
  /// Makes all frames durable and writes what restore() needs under `prefix`; a checkpoint that
  /// calls this vouches for the frames.
  void save(DatasetWriter& writer, std::string_view prefix);
  /// Goes on from the frames that the checkpoint vouches for, on any number of ranks. IoError when
  /// they are not there, or not those.
  void restore(DatasetReader& reader, std::string_view prefix);
  /// finish() shall leave segments that are not this run's, as long as the checkpoint of another
  /// one may need them; it removes them otherwise. Not collective; the same on every rank.
  void keep_others();
  /// Joins all frames into path(); `describe` adds what is fixed, after the series are there. What
  /// path() held before is kept as path() with .1, .2, … before its extension when it has other
  /// frames; returns that name, or an empty one. Calling it again does nothing.
  std::string finish(const std::function<void(ObjectWriter&)>& describe);

  /// Digest of all series and frames so far; the same on every rank, whatever their number.
  std::uint64_t digest();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Refuses a file at `path` that a SegmentedFile may not replace: InputError. For checks before any
/// work; not collective.
void check_replaceable(const std::string& path);

}  // namespace gsim
