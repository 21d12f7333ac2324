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
/// all frames of the run up to the last of these.
struct Segment {
  Index number = 0;
  Index frames = 0;
  std::uint64_t digest = 0;
};

/// Consecutive frames that are stored together: in a segment, those of one block; in a joined file,
/// all. Each series has one dataset for them.
struct Piece {
  std::string prefix;  ///< block_prefix(), before the paths of the series; empty in a joined file
  Index first = 0;     ///< number, within the file, of the frame in row 0 of the datasets
  Index frames = 0;    ///< number of frames
};
/// The pieces of the first `frames` frames of a segment or joined file.
std::vector<Piece> pieces_of(const Hdf5Reader& file, Index frames);

/// The reason why the file does not hold the frames of `segment`, as the end of a sentence that
/// begins with the file's name; empty if the file holds them.
std::string why_unusable(const std::string& file, const Segment& segment);

/// The digest stored in the joined file at `path`; throws IoError if there is none.
std::string stored_digest(const std::string& path);

/// Creates a hard link, or a copy if the file system has no links.
void link_or_copy(const std::string& from, const std::string& to);

}  // namespace gsim::io
