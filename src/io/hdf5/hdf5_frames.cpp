#include <algorithm>
#include <functional>
#include <numeric>

#include "gsim/core/error.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"

namespace gsim::io {
namespace {

Index product(const std::vector<Index>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), Index{1}, std::multiplies<>());
}

/// The hyperslab of frames [first, last) and rows [rows.first, rows.last) in the dataset.
struct Region {
  std::vector<hsize_t> start, counts;
};
Region region_of(const FrameDataset& dataset, IndexRange frames, IndexRange rows) {
  Region region{{static_cast<hsize_t>(frames.first)}, {static_cast<hsize_t>(frames.size())}};
  for (const Index size : dataset.shape) {
    region.start.push_back(0);
    region.counts.push_back(static_cast<hsize_t>(size));
  }
  if (dataset.shape.empty()) {
    if (rows.empty()) region.counts[0] = 0;
  } else {
    region.start[1] = static_cast<hsize_t>(rows.first);
    region.counts[1] = static_cast<hsize_t>(rows.size());
  }
  return region;
}

/// Transfers a part of the frames; `rows` are counted from the first row of each rank.
using Body = std::function<void(IndexRange frames, IndexRange rows)>;

/// Divides frames of up to `rows` rows into parts of at most transfer_limit() bytes.
void for_each_part(IndexRange frames, Index rows, std::size_t row_bytes, const Body& body) {
  const auto max_rows = std::max<Index>(1, static_cast<Index>(transfer_limit() / row_bytes));
  const Index frame_step = std::max<Index>(1, max_rows / std::max<Index>(rows, 1));
  for (Index f = frames.first; f < frames.last; f += frame_step) {
    const IndexRange part{f, std::min(f + frame_step, frames.last)};
    for (Index row = 0; row < rows; row += max_rows)
      body(part, {row, std::min(row + max_rows, rows)});
  }
}

}  // namespace

std::size_t FrameDataset::row_bytes() const {
  const Index elements = product(shape) / std::max<Index>(rows(), 1);
  return static_cast<std::size_t>(std::max<Index>(elements, 1)) * type.size();
}

FrameDataset Hdf5Writer::create_frames(std::string_view path, const StoredType& type, Index frames,
                                       const std::vector<Index>& shape) {
  require_open();
  FrameDataset dataset{normal_path(path), type, shape, {}};
  validate_shape(path, {type.element, frames, std::max<Index>(product(shape), 1)}, type.size());
  const Index bytes = frames * product(shape) * static_cast<Index>(type.size());
  has_large_ = has_large_ || bytes >= least_extent;
  reserve(bytes);
  std::vector<hsize_t> sizes{static_cast<hsize_t>(frames)};
  for (const Index size : shape) sizes.push_back(static_cast<hsize_t>(size));
  agree([&] { dataset.handle = create_dataset(dataset.path, type, sizes); });
  end_ += bytes;
  metadata_ += metadata_per_object;
  return dataset;
}

void Hdf5Writer::write_frames(const FrameDataset& dataset, IndexRange frames,
                              const std::vector<IndexRange>& ranges, const void* data) {
  require_open();
  const auto* const bytes = static_cast<const char*>(data);
  const bool root_has_all_rows = ranges[0].size() == dataset.rows();
  if (!parallel_ && !root_has_all_rows) return write_frames_at_root(dataset, frames, ranges, bytes);
  Index max_rows = 0;
  for (const IndexRange& range : ranges) max_rows = std::max(max_rows, range.size());
  const IndexRange local = ranges[static_cast<std::size_t>(communicator_.rank())];
  const std::size_t row_bytes = dataset.row_bytes();
  for_each_part(frames, max_rows, row_bytes, [&](IndexRange part, IndexRange rows) {
    const IndexRange mine{std::min(local.first + rows.first, local.last),
                          std::min(local.first + rows.last, local.last)};
    const Index first_row = (part.first - frames.first) * local.size() + (mine.first - local.first);
    const char placeholder = 0;  // a valid address for ranks that write nothing
    const char* from =
        mine.empty() ? &placeholder : bytes + static_cast<std::size_t>(first_row) * row_bytes;
    agree([&] {
      if (!has_file_) return;
      const Hdf5Lock lock;
      Region region = region_of(dataset, part, mine);
      write_region(dataset.handle.get(), dataset.type, region.start, std::move(region.counts),
                   from);
    });
  });
}

void Hdf5Writer::write_value(std::string_view path, const StoredType& type, const void* value) {
  require_open();
  const std::string name = normal_path(path);
  const auto bytes = static_cast<Index>(type.size());
  reserve(bytes);
  Handle dataset;
  agree([&] { dataset = create_dataset(name, type, {}); });
  end_ += bytes;
  metadata_ += metadata_per_object;
  agree([&] {
    if (!has_file_) return;
    const Hdf5Lock lock;
    const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, action(name), path_);
    if (!communicator_.is_root()) checked(H5Sselect_none(space.get()), action(name), path_);
    checked(H5Dwrite(dataset.get(), memory_type(type).get(), space.get(), space.get(),
                     transfer_.get(), value),
            action(name), path_);
    dataset.close(action(name), path_);
  });
}

void Hdf5Writer::write_frames_at_root(const FrameDataset& dataset, IndexRange frames,
                                      const std::vector<IndexRange>& ranges, const char* data) {
  const IndexRange local = ranges[static_cast<std::size_t>(communicator_.rank())];
  const std::size_t row_bytes = dataset.row_bytes();
  for (Index f = frames.first; f < frames.last; ++f) {
    for_each_part({f, f + 1}, dataset.rows(), row_bytes, [&](IndexRange part, IndexRange window) {
      const Index first = std::clamp(window.first, local.first, local.last);
      const Index last = std::clamp(window.last, first, local.last);
      const Index first_row = (f - frames.first) * local.size() + (first - local.first);
      const std::span<const char> mine(data + static_cast<std::size_t>(first_row) * row_bytes,
                                       static_cast<std::size_t>(last - first) * row_bytes);
      const auto gathered = communicator_.gather(mine);
      agree([&] {
        if (!has_file_) return;
        const Hdf5Lock lock;
        Region region = region_of(dataset, part, window);
        write_region(dataset.handle.get(), dataset.type, region.start, std::move(region.counts),
                     gathered.data());
      });
    });
  }
}

}  // namespace gsim::io
