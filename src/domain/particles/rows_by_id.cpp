#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/domain/replicated.hpp"
#include "src/domain/particles/host_column.hpp"

namespace gsim {
namespace {

NumericalError wrong_id(Index id, const char* what) {
  return NumericalError("particle " + std::to_string(id) + " " + what +
                        "; particles were lost or duplicated, see the earlier messages of the run");
}

}  // namespace

std::vector<std::byte> rows_by_id(const Communicator& communicator, const ParticleStore& store,
                                  ColumnId column, Index total) {
  const auto row_bytes = static_cast<std::size_t>(store.column(column).row_bytes);
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const ReplicatedDecomposition parts({0, total}, communicator.size());
  std::vector<std::vector<std::int64_t>> ids(ranks);
  std::vector<std::vector<std::byte>> rows(ranks);
  communicator.agree([&] {
    const detail::HostColumn<std::int64_t> id(store, store.id());
    const detail::HostBytes data(store, column);
    std::vector<std::size_t> counts(ranks);
    for (Index i = 0; i < store.locals(); ++i) {
      if (id[i] < 0 || id[i] >= total)
        throw wrong_id(id[i], "has an id outside the range of the run");
      ++counts[static_cast<std::size_t>(parts.owner(id[i]))];
    }
    for (std::size_t r = 0; r < ranks; ++r) {
      ids[r].reserve(counts[r]);
      rows[r].reserve(counts[r] * row_bytes);
    }
    for (Index i = 0; i < store.locals(); ++i) {
      const auto to = static_cast<std::size_t>(parts.owner(id[i]));
      ids[to].push_back(id[i]);
      const std::byte* const row = data.data() + static_cast<std::size_t>(i) * row_bytes;
      rows[to].insert(rows[to].end(), row, row + row_bytes);
    }
  });
  const auto received_ids = communicator.exchange(ids);
  ids.clear();
  const auto received_rows = communicator.exchange(std::move(rows));
  const IndexRange mine = parts.range(communicator.rank());
  const auto count = static_cast<std::size_t>(mine.size());
  std::vector<std::byte> result(count * row_bytes);
  communicator.agree([&] {
    std::vector<bool> present(count);
    for (std::size_t r = 0; r < ranks; ++r)
      for (std::size_t i = 0; i < received_ids[r].size(); ++i) {
        const auto at = static_cast<std::size_t>(received_ids[r][i] - mine.first);
        if (present[at]) throw wrong_id(received_ids[r][i], "exists twice");
        present[at] = true;
        std::memcpy(result.data() + at * row_bytes, received_rows[r].data() + i * row_bytes,
                    row_bytes);
      }
    for (std::size_t i = 0; i < count; ++i)
      if (!present[i]) throw wrong_id(mine.first + static_cast<Index>(i), "is missing");
  });
  return result;
}

}  // namespace gsim
