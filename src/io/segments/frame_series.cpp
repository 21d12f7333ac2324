#include "src/io/segments/frame_series.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "src/io/hdf5/row_ranges.hpp"

namespace gsim::io {
namespace {

Index product(const std::vector<Index>& sizes, std::size_t from) {
  return std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(from), sizes.end(), Index{1},
                         std::multiplies<>());
}

}  // namespace

Series prepare_series(const Communicator& communicator, FrameSeries info) {
  info.path = normal_path(info.path);
  const Index rows = info.shape.empty() ? 1 : info.shape[0];
  const Index columns = info.shape.empty() ? 1 : product(info.shape, 1);
  // Without `local` the root has all rows.
  const Index at_root = communicator.is_root() ? rows : 0;
  const IndexRange local = info.local.value_or(IndexRange{rows - at_root, rows});
  Series series{info, {info.type, 0}, {}, {}, 0, 0};
  series.ranges = agree_on_ranges(communicator, info.path, series.type,
                                  {info.type, rows, std::max<Index>(columns, 1)}, local);
  series.mine = series.ranges[static_cast<std::size_t>(communicator.rank())];
  series.row_bytes = series.type.size() * static_cast<std::size_t>(columns);
  series.frame_bytes = series.row_bytes * static_cast<std::size_t>(series.mine.size());
  return series;
}

}  // namespace gsim::io
