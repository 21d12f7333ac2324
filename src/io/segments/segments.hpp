#pragma once
// The segment files of a SegmentedFile, and the frames that a file holds. Nothing here is
// collective; rank 0 changes the folder.
//
// A segment holds its frames in blocks: "blocks/000001/PATH" has the shape [frames of the
// block][shape…] of series PATH, and "blocks/frames" holds the number of frames of each block. A
// joined file has one dataset per series. Both have "gsim/frame_digests": after each frame, the
// digest of all frames since the start of the run.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"
#include "src/io/segments/numbered_files.hpp"

namespace gsim::io {

inline constexpr const char* block_frames_path = "blocks/frames";
inline constexpr const char* frame_digests_path = "gsim/frame_digests";

/// The prefix of a block: "blocks/000001/" for 1.
std::string block_prefix(Index block);

/// The part of one segment that a checkpoint covers: its first `frames` frames, and the digest of
/// the run after them.
struct Segment {
  Index number = 0;
  Index frames = 0;
  std::uint64_t digest = 0;
};

/// Consecutive frames in one dataset of each series.
struct Piece {
  std::string prefix;  ///< prefix of the paths of the series
  Index first = 0;     ///< frame, of the run or of the file, in row 0
  Index frames = 0;
};
/// The pieces of the first `frames` frames of a segment or joined file.
std::vector<Piece> pieces_of(const Hdf5Reader& file, Index frames);

/// The reason why the file does not hold the frames of `segment`, as a clause after its name; empty
/// if it does.
std::string why_unusable(const std::string& file, const Segment& segment);

/// The digest stored in the joined file at `path`; throws IoError if there is none.
std::string stored_digest(const std::string& path);

/// Creates a hard link, or a copy if the file system has no links.
void link_or_copy(const std::string& from, const std::string& to);

}  // namespace gsim::io
