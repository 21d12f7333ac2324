// SegmentedFile: the join of all segments into the final file.

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/backup_file.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/hdf5/hdf5_object_writer.hpp"
#include "src/io/segments/segmented_file_impl.hpp"

namespace gsim {
using namespace io;

std::string SegmentedFile::finish(const std::function<void(ObjectWriter&)>& describe) {
  Impl& i = *impl_;
  i.close_segment();
  if (i.joined == i.frames) return {};
  const std::string digest_text = hex(digest());
  bool is_joined = false;
  i.communicator.agree([&] {
    if (!i.communicator.is_root() || file_size(i.path) < 0) return;
    is_joined = stored_digest(i.path) == digest_text;
  });
  is_joined = i.communicator.broadcast(is_joined);
  std::string backup;
  if (!is_joined) {
    i.check_closed_segments();
    Hdf5Writer file(i.communicator, i.path + ".partial", i.path);
    i.join(describe, file);
    file.attribute("gsim", "digest", digest_text);
    file.close();
    i.communicator.agree([&] {
      if (i.communicator.is_root() && file_size(i.path) >= 0) backup = back_up_file(i.path);
    });
    file.publish();
  }
  i.joined = i.frames;
  if (i.communicator.is_root())
    remove_numbered_files(i.path, segment_kind, [&](Index number) { return i.may_remove(number); });
  i.communicator.barrier();  // no rank returns before the segments are removed
  return i.communicator.broadcast(backup);
}

void SegmentedFile::Impl::join(const std::function<void(ObjectWriter&)>& describe,
                               Hdf5Writer& file) {
  std::vector<FrameDataset> datasets;
  for (const Series& s : series)
    datasets.push_back(file.create_frames(s.info.path, s.type, frames, s.info.shape));
  std::vector<std::uint64_t> digests;
  Index first = 0;
  for (const Segment& segment : closed) {
    const std::string name = segment_path(path, segment.number);
    const ChecksumResult result = verify_checksums(communicator, name);
    std::optional<Hdf5Reader> from;
    std::vector<Piece> pieces;
    communicator.agree([&] {
      if (!result.damage.empty())
        throw IoError(
            fmt::format("the frames of {} cannot be joined: {} {}", path, name, result.damage));
      from.emplace(name);
      pieces = pieces_of(*from, segment.frames);
      const auto segment_digests = from->read_all<std::uint64_t>(frame_digests_path);
      digests.insert(digests.end(), segment_digests.begin(),
                     segment_digests.begin() + segment.frames);
    });
    for (const Piece& piece : pieces)
      for (std::size_t k = 0; k < series.size(); ++k)
        copy(*from, piece, series[k], file, datasets[k], first + piece.first);
    first += segment.frames;
  }
  communicator.agree([&] {
    for (FrameDataset& dataset : datasets) {
      const Hdf5Lock hdf5_lock;
      dataset.handle.close("write dataset " + dataset.path + " to", file.path());
    }
  });
  write_frame_digests(file, digests);
  Hdf5ObjectWriter objects(file);
  describe(objects);
}

/// Copies the frames of one piece of a series to the joined dataset, starting at frame `first`.
void SegmentedFile::Impl::copy(const Hdf5Reader& from, const Piece& piece, const Series& s,
                               Hdf5Writer& file, const FrameDataset& target, Index first) {
  std::vector<char> buffer;
  for (Index f = 0; f < piece.frames; f += frames_per_block) {
    const IndexRange part{f, std::min(f + frames_per_block, piece.frames)};
    communicator.agree([&] {
      buffer.resize(static_cast<std::size_t>(part.size()) * s.frame_bytes);
      const std::string name = piece.prefix + s.info.path;
      std::vector<Index> sizes = from.extents(name);
      if (!sizes.empty()) sizes.erase(sizes.begin());
      if (from.shape(name).type != s.type || sizes != s.info.shape) {
        throw IoError(fmt::format("dataset {} of {} has another type or shape than this run's",
                                  name, from.path()));
      }
      from.read_frames(name, s.type, part, s.mine, buffer.data());
    });
    file.write_frames(target, {first + part.first, first + part.last}, s.ranges, buffer.data());
  }
}

}  // namespace gsim
