// SegmentedFile: the state of its segments in checkpoints, and the segments of a resumed run.

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/run_specific.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/segments/segmented_file_impl.hpp"

namespace gsim {
using namespace io;
namespace {

std::string state_path(std::string_view prefix, const char* name) {
  return fmt::format("{}/{}", prefix, name);
}

}  // namespace

void SegmentedFile::save(DatasetWriter& writer, std::string_view prefix) {
  Impl& i = *impl_;
  i.close_segment();
  std::vector<Index> rows;
  std::vector<std::uint64_t> digests;
  for (const Segment& segment : i.closed) {
    rows.insert(rows.end(), {segment.number, segment.frames});
    digests.push_back(segment.digest);
  }
  writer.write(state_path(prefix, "frames"), i.frames);
  writer.write(state_path(prefix, "digest"), i.written_digest);
  writer.write(state_path(prefix, "next_segment"), i.next_number);
  writer.write(state_path(prefix, "segments"), rows, 2);
  writer.write(state_path(prefix, "segment_digests"), digests);
  for (const char* name : {"next_segment", "segments", "segment_digests"})
    mark_run_specific(writer, state_path(prefix, name));
  if (++i.saves < 3 || !i.communicator.is_root()) return;
  const Index first = i.first_number();
  remove_numbered_files(i.path, segment_kind, [first](Index number) { return number < first; });
}

void SegmentedFile::restore(DatasetReader& reader, std::string_view prefix) {
  Impl& i = *impl_;
  i.lock_path();
  i.frames = reader.read_value<Index>(state_path(prefix, "frames"));
  i.written_digest = reader.read_value<std::uint64_t>(state_path(prefix, "digest"));
  i.next_number = reader.read_value<Index>(state_path(prefix, "next_segment"));
  const auto rows = reader.read<Index>(state_path(prefix, "segments"));
  const auto digests = reader.read<std::uint64_t>(state_path(prefix, "segment_digests"));
  i.closed.clear();
  for (std::size_t k = 0; k < digests.size(); ++k)
    i.closed.push_back({rows[2 * k], rows[2 * k + 1], digests[k]});
  i.check_closed_segments();
  i.communicator.agree([&] {
    if (!i.communicator.is_root()) return;
    const Index first = i.first_number();
    const Index last = i.next_number;
    remove_numbered_files(i.path, segment_kind,
                          [&](Index number) { return number < first || number >= last; });
  });
}

void SegmentedFile::Impl::check_closed_segments() {
  std::size_t missing = 0;  // number of segments up to the last missing one
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    std::string problem;
    for (std::size_t k = 0; k < closed.size(); ++k) {
      const std::string name = segment_path(path, closed[k].number);
      const std::string reason = why_unusable(name, closed[k]);
      if (reason.empty()) continue;
      missing = k + 1;
      problem = fmt::format("{} {}", name, reason);
    }
    if (missing > 0) adopt_joined(missing, problem);
  });
  missing = communicator.broadcast(missing);
  if (missing > 0) {
    const Segment combined = combine_first(missing);
    closed.erase(closed.begin() + 1, closed.begin() + static_cast<std::ptrdiff_t>(missing));
    closed.front() = combined;
  }
}

Segment SegmentedFile::Impl::combine_first(std::size_t count) const {
  Segment combined{closed.front().number, 0, closed[count - 1].digest};
  for (std::size_t k = 0; k < count; ++k) combined.frames += closed[k].frames;
  return combined;
}

void SegmentedFile::Impl::adopt_joined(std::size_t count, const std::string& problem) {
  const Segment combined = combine_first(count);
  if (!why_unusable(path, combined).empty()) {
    throw IoError(fmt::format(
        "frames of {} that the checkpoint covers are missing: {}; restore that file, or start "
        "afresh without --resume",
        path, problem));
  }
  const Index last = closed[count - 1].number;
  remove_numbered_files(path, segment_kind, [last](Index number) { return number <= last; });
  link_or_copy(path, segment_path(path, combined.number));
}

}  // namespace gsim
