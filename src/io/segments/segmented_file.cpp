#include "gsim/io/segmented_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/backup_file.hpp"
#include "gsim/io/file_lock.hpp"
#include "gsim/io/run_specific.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/file_seal.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/hdf5/hdf5_object_writer.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"
#include "src/io/segments/frame_series.hpp"
#include "src/io/segments/segments.hpp"

namespace gsim {
using namespace io;
namespace {

constexpr const char* kind = "seg";

/// A segment that is being written.
struct OpenSegment {
  Hdf5Writer file;
  std::vector<Index> block_frames = {};
  std::vector<std::uint64_t> digests = {};  ///< on rank 0 only
  Index frames = 0;
  std::size_t bytes = 0;
};

std::string at(std::string_view prefix, const char* name) {
  return fmt::format("{}/{}", prefix, name);
}

}  // namespace

struct SegmentedFile::Impl {
  Impl(Communicator c, std::string p, const SegmentedFileOptions& o)
      : communicator(std::move(c)), path(std::move(p)), options(o) {}

  Communicator communicator;
  std::string path;
  SegmentedFileOptions options;
  std::vector<Series> series;
  Index frames_per_block = 1;
  std::size_t bytes_per_frame = 0;  ///< sum over all ranks
  FileLock lock;

  Index frames = 0;
  Index buffered = 0;         ///< number of buffered frames, which are the last ones
  std::uint64_t running = 0;  ///< digest of all frames except the buffered ones, on rank 0
  std::vector<Segment> sealed;
  Index next_number = 1;
  std::unique_ptr<OpenSegment> open;
  int saves = 0;
  bool keeps_others = false;
  Index joined = -1;  ///< number of frames in the joined file; -1: none

  void prepare_series(std::vector<FrameSeries> infos);
  void open_place();
  void flush();
  void update_digests();
  void seal();
  void locate();
  Segment up_to(std::size_t count) const;
  Index first_number() const { return sealed.empty() ? next_number : sealed.front().number; }
  /// When this run has two checkpoints, those of an earlier run have been removed, and its segments
  /// may be removed, too.
  bool may_remove(Index number) const {
    return !keeps_others || saves >= 3 || number >= first_number();
  }
  void adopt_joined(std::size_t count, const std::string& problem);
  void join(const std::function<void(ObjectWriter&)>& describe, Hdf5Writer& file);
  void copy(const Hdf5Reader& from, const Piece& piece, const Series& s, Hdf5Writer& file,
            const FrameDataset& into, Index first);
  void write_columns(Hdf5Writer& file, const std::vector<std::uint64_t>& digests);
};

SegmentedFile::SegmentedFile(Communicator communicator, std::string path,
                             std::vector<FrameSeries> series, const SegmentedFileOptions& options)
    : impl_(new Impl(std::move(communicator), std::move(path), options)) {
  impl_->prepare_series(std::move(series));
}

SegmentedFile::~SegmentedFile() = default;

const std::string& SegmentedFile::path() const { return impl_->path; }
Index SegmentedFile::frames() const { return impl_->frames; }

void SegmentedFile::Impl::prepare_series(std::vector<FrameSeries> infos) {
  Digest digest;
  std::size_t mine = 0;
  for (FrameSeries& info : infos) {
    series.push_back(io::prepare_series(communicator, std::move(info)));
    const Series& s = series.back();
    mine += s.frame_bytes;
    const Index rows = s.ranges.back().last;
    bytes_per_frame += s.row_bytes * static_cast<std::size_t>(rows);
    digest.add(s.info.path).add(static_cast<int>(s.info.type)).add(s.info.shape.size());
    digest.add(std::span<const Index>(s.info.shape));
  }
  running = digest.value();
  const auto most = static_cast<std::size_t>(communicator.max(static_cast<std::int64_t>(mine)));
  frames_per_block =
      std::max<Index>(1, static_cast<Index>(options.buffer_bytes / std::max<std::size_t>(most, 1)));
}

void SegmentedFile::Impl::open_place() {
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    lock = FileLock(path);
    check_replaceable(path);
  });
}

void SegmentedFile::start() {
  impl_->open_place();
  Index last = 0;
  impl_->communicator.agree([&] {
    if (!impl_->communicator.is_root()) return;
    refuse_existing(impl_->path);
    remove_numbered_files(impl_->path, kind, [](Index) { return false; });
    const auto numbers = list_numbered_files(impl_->path, kind);
    if (!numbers.empty()) last = numbers.back();
  });
  impl_->next_number = impl_->communicator.broadcast(last) + 1;
}

void SegmentedFile::append(std::span<const void* const> values) {
  Impl& i = *impl_;
  GSIM_EXPECT(values.size() == i.series.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    Series& s = i.series[k];
    const auto* const bytes = static_cast<const char*>(values[k]);
    if (s.frame_bytes > 0) s.buffer.insert(s.buffer.end(), bytes, bytes + s.frame_bytes);
  }
  ++i.frames;
  if (++i.buffered >= i.frames_per_block) i.flush();
  if (i.open && i.open->bytes >= i.options.segment_bytes) i.seal();
}

/// Writes the buffered frames as one block of the open segment.
void SegmentedFile::Impl::flush() {
  if (buffered == 0) return;
  if (!open) {
    const std::string name = segment_path(path, next_number);
    open.reset(new OpenSegment{{communicator, name + ".partial", name}});
  }
  open->block_frames.push_back(buffered);
  const std::string prefix = block_prefix(static_cast<Index>(open->block_frames.size()));
  for (const Series& s : series) {
    const FrameDataset dataset =
        open->file.create_frames(prefix + s.info.path, s.type, buffered, s.info.shape);
    open->file.write_frames(dataset, {0, buffered}, s.ranges, s.buffer.data());
  }
  update_digests();
  open->frames += buffered;
  open->bytes += bytes_per_frame * static_cast<std::size_t>(buffered);
  for (Series& s : series) s.buffer.clear();
  buffered = 0;
}

void SegmentedFile::Impl::update_digests() {
  for (Index f = 0; f < buffered; ++f) {
    Digest digest;
    digest.add(running);
    for (const Series& s : series) {
      const auto first = static_cast<std::size_t>(f) * s.frame_bytes;
      const auto blocks = digest_blocks(communicator, s.ranges, s.row_bytes,
                                        std::span(s.buffer).subspan(first, s.frame_bytes));
      digest.add(std::span<const std::uint64_t>(blocks));
    }
    running = digest.value();
    open->digests.push_back(running);
  }
}

void SegmentedFile::Impl::write_columns(Hdf5Writer& file,
                                        const std::vector<std::uint64_t>& digests) {
  const auto rows = communicator.broadcast(static_cast<Index>(digests.size()));
  file.write_replicated(frame_digests_path, {ElementType::uint64, 0},
                        {ElementType::uint64, rows, 1}, digests.data());
}

/// Flushes all frames to disk and gives the segment its final name.
void SegmentedFile::Impl::seal() {
  flush();
  if (!open) return;
  const auto blocks = static_cast<Index>(open->block_frames.size());
  open->file.write_replicated(block_frames_path, {ElementType::int64, 0},
                              {ElementType::int64, blocks, 1}, open->block_frames.data());
  write_columns(open->file, open->digests);
  open->file.close();
  open->file.publish();
  sealed.push_back({next_number++, open->frames, running});
  open.reset();
}

void SegmentedFile::save(DatasetWriter& writer, std::string_view prefix) {
  Impl& i = *impl_;
  i.seal();
  std::vector<Index> rows;
  std::vector<std::uint64_t> digests;
  for (const Segment& segment : i.sealed) {
    rows.insert(rows.end(), {segment.number, segment.frames});
    digests.push_back(segment.digest);
  }
  writer.write(at(prefix, "frames"), i.frames);
  writer.write(at(prefix, "digest"), i.running);
  writer.write(at(prefix, "next_segment"), i.next_number);
  writer.write(at(prefix, "segments"), rows, 2);
  writer.write(at(prefix, "segment_digests"), digests);
  for (const char* name : {"next_segment", "segments", "segment_digests"})
    mark_run_specific(writer, at(prefix, name));
  if (++i.saves < 3 || !i.communicator.is_root()) return;
  const Index first = i.first_number();
  remove_numbered_files(i.path, kind, [first](Index number) { return number < first; });
}

void SegmentedFile::restore(DatasetReader& reader, std::string_view prefix) {
  Impl& i = *impl_;
  i.open_place();
  i.frames = reader.read_value<Index>(at(prefix, "frames"));
  i.running = reader.read_value<std::uint64_t>(at(prefix, "digest"));
  i.next_number = reader.read_value<Index>(at(prefix, "next_segment"));
  const auto rows = reader.read<Index>(at(prefix, "segments"));
  const auto digests = reader.read<std::uint64_t>(at(prefix, "segment_digests"));
  i.sealed.clear();
  for (std::size_t k = 0; k < digests.size(); ++k)
    i.sealed.push_back({rows[2 * k], rows[2 * k + 1], digests[k]});
  i.locate();
  i.communicator.agree([&] {
    if (!i.communicator.is_root()) return;
    const Index first = i.first_number();
    const Index last = i.next_number;
    remove_numbered_files(i.path, kind,
                          [&](Index number) { return number < first || number >= last; });
  });
}

/// Checks that the sealed segments exist. Segments that a join has removed are in the joined file,
/// which then replaces all segments up to the last missing one.
void SegmentedFile::Impl::locate() {
  std::size_t missing = 0;  // number of segments up to the last missing one
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    std::string problem;
    for (std::size_t k = 0; k < sealed.size(); ++k) {
      const std::string name = segment_path(path, sealed[k].number);
      const std::string reason = why_not(name, sealed[k]);
      if (reason.empty()) continue;
      missing = k + 1;
      problem = fmt::format("{} {}", name, reason);
    }
    if (missing > 0) adopt_joined(missing, problem);
  });
  missing = communicator.broadcast(missing);
  if (missing > 0) {
    const Segment whole = up_to(missing);
    sealed.erase(sealed.begin() + 1, sealed.begin() + static_cast<std::ptrdiff_t>(missing));
    sealed.front() = whole;
  }
}

/// The first `count` sealed segments combined to one with the number of the first.
Segment SegmentedFile::Impl::up_to(std::size_t count) const {
  Segment whole{sealed.front().number, 0, sealed[count - 1].digest};
  for (std::size_t k = 0; k < count; ++k) whole.frames += sealed[k].frames;
  return whole;
}

void SegmentedFile::Impl::adopt_joined(std::size_t count, const std::string& problem) {
  const Segment whole = up_to(count);
  if (!why_not(path, whole).empty()) {
    throw IoError(fmt::format(
        "frames of {} that the checkpoint covers are missing: {}; put that back, or start "
        "afresh without --resume",
        path, problem));
  }
  const Index last = sealed[count - 1].number;
  remove_numbered_files(path, kind, [last](Index number) { return number <= last; });
  link_or_copy(path, segment_path(path, whole.number));
}

void SegmentedFile::keep_foreign_files() { impl_->keeps_others = true; }

std::string SegmentedFile::finish(const std::function<void(ObjectWriter&)>& describe) {
  Impl& i = *impl_;
  i.seal();
  if (i.joined == i.frames) return {};
  const std::string stated = hex(digest());
  bool is_there = false;
  i.communicator.agree([&] {
    if (!i.communicator.is_root() || file_size(i.path) < 0) return;
    is_there = stored_digest(i.path) == stated;
  });
  is_there = i.communicator.broadcast(is_there);
  std::string kept;
  if (!is_there) {
    i.locate();
    Hdf5Writer file(i.communicator, i.path + ".partial", i.path);
    i.join(describe, file);
    file.attribute("gsim", "digest", stated);
    file.close();
    i.communicator.agree([&] {
      if (i.communicator.is_root() && file_size(i.path) >= 0) kept = back_up_file(i.path);
    });
    file.publish();
  }
  i.joined = i.frames;
  if (i.communicator.is_root())
    remove_numbered_files(i.path, kind, [&](Index number) { return i.may_remove(number); });
  i.communicator.barrier();  // no rank still checks for a segment that will be removed
  return i.communicator.broadcast(kept);
}

void SegmentedFile::Impl::join(const std::function<void(ObjectWriter&)>& describe,
                               Hdf5Writer& file) {
  std::vector<FrameDataset> datasets;
  for (const Series& s : series)
    datasets.push_back(file.create_frames(s.info.path, s.type, frames, s.info.shape));
  std::vector<std::uint64_t> digests;
  Index first = 0;
  for (const Segment& segment : sealed) {
    const std::string name = segment_path(path, segment.number);
    const SealCheck verdict = check_seal(communicator, name);
    std::optional<Hdf5Reader> from;
    std::vector<Piece> pieces;
    communicator.agree([&] {
      if (!verdict.damage.empty())
        throw IoError(
            fmt::format("the frames of {} cannot be joined: {} {}", path, name, verdict.damage));
      from.emplace(name);
      pieces = pieces_of(*from, segment.frames);
      const auto own = from->read_all<std::uint64_t>(frame_digests_path);
      digests.insert(digests.end(), own.begin(), own.begin() + segment.frames);
    });
    for (const Piece& piece : pieces)
      for (std::size_t k = 0; k < series.size(); ++k)
        copy(*from, piece, series[k], file, datasets[k], first + piece.first);
    first += segment.frames;
  }
  communicator.agree([&] {
    for (FrameDataset& dataset : datasets) {
      const Hdf5Lock hold;
      dataset.handle.close("write dataset " + dataset.path + " to", file.path());
    }
  });
  write_columns(file, digests);
  Hdf5ObjectWriter objects(file);
  describe(objects);
}

/// Copies the frames of one piece of a series to the joined dataset, starting at frame `first`.
void SegmentedFile::Impl::copy(const Hdf5Reader& from, const Piece& piece, const Series& s,
                               Hdf5Writer& file, const FrameDataset& into, Index first) {
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
    file.write_frames(into, {first + part.first, first + part.last}, s.ranges, buffer.data());
  }
}

std::uint64_t SegmentedFile::digest() {
  impl_->flush();
  return impl_->running = impl_->communicator.broadcast(impl_->running);
}

void check_replaceable(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw InputError(fmt::format("{} is a folder; choose another file name", path));
  if (!std::filesystem::exists(path)) return;
  if (const SealCheck verdict = check_structure(path); !verdict.damage.empty())
    throw InputError(fmt::format("{} exists and {}; move it away, or choose another file name",
                                 path, verdict.damage));
  try {
    stored_digest(path);
  } catch (const IoError& error) {
    throw InputError(
        fmt::format("{} exists and was not written by gsim; move it away, or choose another file "
                    "name ({})",
                    path, error.what()));
  }
}

}  // namespace gsim
