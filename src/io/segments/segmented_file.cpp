#include "gsim/io/segmented_file.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/backup_file.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/segments/segmented_file_impl.hpp"

namespace gsim {
using namespace io;

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
  written_digest = digest.value();
  const auto max_rank_bytes =
      static_cast<std::size_t>(communicator.max(static_cast<std::int64_t>(mine)));
  frames_per_block = std::max<Index>(
      1, static_cast<Index>(options.buffer_bytes / std::max<std::size_t>(max_rank_bytes, 1)));
}

void SegmentedFile::Impl::lock_path() {
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    lock = FileLock(path);
    check_replaceable(path);
  });
}

void SegmentedFile::start() {
  impl_->lock_path();
  Index last = 0;
  impl_->communicator.agree([&] {
    if (!impl_->communicator.is_root()) return;
    refuse_existing(impl_->path);
    // Only partial segments are removed; numbers continue after the complete ones that exist.
    remove_numbered_files(impl_->path, segment_kind, [](Index) { return false; });
    const auto numbers = list_numbered_files(impl_->path, segment_kind);
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
  if (i.open && i.open->bytes >= i.options.segment_bytes) i.close_segment();
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
    digest.add(written_digest);
    for (const Series& s : series) {
      const auto first = static_cast<std::size_t>(f) * s.frame_bytes;
      const auto blocks = digest_blocks(communicator, s.ranges, s.row_bytes,
                                        std::span(s.buffer).subspan(first, s.frame_bytes));
      digest.add(std::span<const std::uint64_t>(blocks));
    }
    written_digest = digest.value();
    open->digests.push_back(written_digest);
  }
}

void SegmentedFile::Impl::write_frame_digests(Hdf5Writer& file,
                                              const std::vector<std::uint64_t>& digests) {
  const auto rows = communicator.broadcast(static_cast<Index>(digests.size()));
  file.write_replicated(frame_digests_path, {ElementType::uint64, 0},
                        {ElementType::uint64, rows, 1}, digests.data());
}

/// Flushes all frames to disk and gives the segment its final name.
void SegmentedFile::Impl::close_segment() {
  flush();
  if (!open) return;
  const auto blocks = static_cast<Index>(open->block_frames.size());
  open->file.write_replicated(block_frames_path, {ElementType::int64, 0},
                              {ElementType::int64, blocks, 1}, open->block_frames.data());
  write_frame_digests(open->file, open->digests);
  open->file.close();
  open->file.publish();
  closed.push_back({next_number++, open->frames, written_digest});
  open.reset();
}

void SegmentedFile::keep_files_of_other_runs() { impl_->keeps_files_of_other_runs = true; }

std::uint64_t SegmentedFile::digest() {
  impl_->flush();
  return impl_->written_digest = impl_->communicator.broadcast(impl_->written_digest);
}

void check_replaceable(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw InputError(fmt::format("{} is a folder; choose another file name", path));
  if (!std::filesystem::exists(path)) return;
  if (const ChecksumResult result = check_structure(path); !result.damage.empty())
    throw InputError(fmt::format("{} exists and {}; move it away, or choose another file name",
                                 path, result.damage));
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
