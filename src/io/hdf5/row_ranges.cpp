#include "src/io/hdf5/row_ranges.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::io {
namespace {

/// The description of a dataset that every rank sends before it is written.
struct RankDescription {
  Index first, last, rows, columns, element, string_length;
};

}  // namespace

std::vector<IndexRange> agree_on_ranges(const Communicator& communicator, const std::string& path,
                                        const StoredType& type, const DatasetShape& shape,
                                        IndexRange local) {
  const RankDescription mine{local.first,
                             local.last,
                             shape.rows,
                             shape.columns,
                             static_cast<Index>(type.element),
                             static_cast<Index>(type.string_length)};
  const auto descriptions = communicator.allgather(std::span<const RankDescription>(&mine, 1));
  std::vector<IndexRange> ranges;
  Index next = 0;
  for (const RankDescription& description : descriptions) {
    const RankDescription& root = descriptions.front();
    if (description.rows != root.rows || description.columns != root.columns ||
        description.element != root.element || description.string_length != root.string_length) {
      throw Error(fmt::format("internal error: ranks have different shapes for {}", path));
    }
    // An empty range may have any position.
    const IndexRange range = description.first == description.last
                                 ? IndexRange{next, next}
                                 : IndexRange{description.first, description.last};
    if (range.first != next || range.last < range.first) {
      throw Error(fmt::format("internal error: rank {} passes rows {} to {} of {}, row {} is next",
                              ranges.size(), range.first, range.last, path, next));
    }
    next = range.last;
    ranges.push_back(range);
  }
  if (next != shape.rows) {
    throw Error(
        fmt::format("internal error: ranks pass {} of {} rows of {}", next, shape.rows, path));
  }
  validate_shape(path, shape, type.size());
  return ranges;
}

}  // namespace gsim::io
