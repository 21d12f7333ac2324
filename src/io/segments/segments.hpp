#pragma once
// The files of a SegmentedFile: where its segments are, and what frames a file holds. Nothing here
// is collective; rank 0 changes the folder.
//
// A segment holds its frames in blocks, "blocks/000001/PATH" being [frames of the block][shape…] of
// series PATH, and "blocks/frames" the frames of each block. A joined file has one dataset a
// series. Both have "gsim/frame_digests": the digest of all frames since the start of the run,
// after each frame.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"
#include "src/io/segments/numbered_files.hpp"

namespace gsim::io {

inline constexpr const char* block_frames_path = "blocks/frames";
inline constexpr const char* frame_digests_path = "gsim/frame_digests";

/// "blocks/000001/" for 1.
std::string block_prefix(Index block);

/// What a checkpoint vouches for of one segment: its first `frames` frames, after which the digest
/// of the run is `digest`.
struct Segment {
  Index number = 0;
  Index frames = 0;
  std::uint64_t digest = 0;
};

/// Frames that follow each other in one dataset of each series.
struct Piece {
  std::string prefix;  ///< of the series' paths
  Index first = 0;     ///< frame of the run, or of the file, that is row 0
  Index frames = 0;
};
/// The pieces of the first `frames` frames of a segment or joined file.
std::vector<Piece> pieces_of(const Hdf5Reader& file, Index frames);

/// Empty when the file holds the frames of `segment`; else what is wrong, a clause after its name.
std::string why_not(const std::string& file, const Segment& segment);

/// The digest that the joined file at `path` states; throws IoError when it states none.
std::string stated_digest(const std::string& path);

/// A second name for a file: a hard link, or a copy where there are no links.
void link_or_copy(const std::string& from, const std::string& to);

}  // namespace gsim::io
