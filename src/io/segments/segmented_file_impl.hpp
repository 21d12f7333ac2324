#pragma once
// The state of a SegmentedFile. Frames are buffered and written to segments in segmented_file.cpp,
// saved and restored in segment_checkpoints.cpp, and joined in join_segments.cpp.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/io/file_lock.hpp"
#include "gsim/io/segmented_file.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"
#include "src/io/segments/frame_series.hpp"
#include "src/io/segments/segments.hpp"

namespace gsim {
namespace io {

/// A segment that is being written.
struct OpenSegment {
  Hdf5Writer file;
  std::vector<Index> block_frames = {};     ///< number of frames of each block
  std::vector<std::uint64_t> digests = {};  ///< on rank 0 only
  Index frames = 0;
  std::size_t bytes = 0;
};

}  // namespace io

struct SegmentedFile::Impl {
  Impl(Communicator c, std::string p, const SegmentedFileOptions& o)
      : communicator(std::move(c)), path(std::move(p)), options(o) {}

  Communicator communicator;
  std::string path;
  SegmentedFileOptions options;
  std::vector<io::Series> series;
  Index frames_per_block = 1;
  std::size_t bytes_per_frame = 0;  ///< sum over all ranks
  FileLock lock;

  Index frames = 0;
  Index buffered = 0;                ///< number of buffered frames, which are the last ones
  std::uint64_t written_digest = 0;  ///< digest of all frames except the buffered ones, on rank 0
  std::vector<io::Segment> closed;   ///< segments that have their final names
  Index next_number = 1;             ///< number of the next segment
  std::unique_ptr<io::OpenSegment> open;  ///< null: no segment is being written
  int saves = 0;  ///< calls of save(); at the third, two checkpoints of this run are complete
  bool keeps_files_of_other_runs = false;
  Index joined = -1;  ///< number of frames in the joined file; -1: none

  void prepare_series(std::vector<FrameSeries> infos);
  /// Locks path() and checks that it may be replaced, on rank 0.
  void lock_path();
  /// Writes the buffered frames to the open segment, as one block.
  void flush();
  void update_digests();
  /// Flushes all frames to disk and gives the segment its final name.
  void close_segment();
  /// Checks that the closed segments exist. Segments that a join has removed are in the joined
  /// file, which then replaces all segments up to the last missing one. IoError if frames are
  /// missing.
  void check_closed_segments();
  /// The first `count` closed segments combined to one with the number of the first.
  io::Segment combine_first(std::size_t count) const;
  Index first_number() const { return closed.empty() ? next_number : closed.front().number; }
  /// Whether finish() may remove a segment. With keep_files_of_other_runs() the segments of an
  /// earlier run are kept until this run has two checkpoints, which replace those of that run.
  bool may_remove(Index number) const {
    return !keeps_files_of_other_runs || saves >= 3 || number >= first_number();
  }
  /// Makes the joined file, which holds the first `count` closed segments, the segment that
  /// combines them. IoError with `problem` if it does not hold them. On rank 0.
  void adopt_joined(std::size_t count, const std::string& problem);
  /// Writes the frames of all closed segments to `file`, then the objects of `describe`.
  void join(const std::function<void(ObjectWriter&)>& describe, io::Hdf5Writer& file);
  /// Copies the frames of one piece of a series to the joined dataset, starting at frame `first`.
  void copy(const io::Hdf5Reader& from, const io::Piece& piece, const io::Series& s,
            io::Hdf5Writer& file, const io::FrameDataset& target, Index first);
  void write_frame_digests(io::Hdf5Writer& file, const std::vector<std::uint64_t>& digests);
};

}  // namespace gsim
