#include "gsim/domain/field_rows.hpp"

#include <algorithm>
#include <cstring>

#include "gsim/core/misuse.hpp"
#include "src/domain/decomposition/check_ranks.hpp"

namespace gsim {
namespace {

/// Calls visit(first row, its cell, count) for every run of consecutive rows that are in both
/// `block` and `rows`, in row order.
template <class Visit>
void for_each_run(const Cell& cells, const CellBlock& block, IndexRange rows, const Visit& visit) {
  if (block.empty() || rows.empty()) return;
  const Index plane = cells[0] * cells[1];
  const Index z_first = std::max(block.lo[2], rows.first / plane);
  const Index z_last = std::min(block.hi[2], (rows.last - 1) / plane + 1);
  for (Index z = z_first; z < z_last; ++z)
    for (Index y = block.lo[1]; y < block.hi[1]; ++y) {
      const Index line = plane * z + cells[0] * y;
      const Index first = std::max(line + block.lo[0], rows.first);
      const Index last = std::min(line + block.hi[0], rows.last);
      if (first < last) visit(first, Cell{first - line, y, z}, last - first);
    }
}

/// A complete field, ghosts included, in memory that the host can access.
class HostCopy {
 public:
  explicit HostCopy(const Field& field) : data_(field.data()) {
    if (!field.executor().is_cuda()) return;
    copy_.resize(static_cast<std::size_t>(field.layout().rows * field.row_bytes()));
    if (!copy_.empty()) field.executor().copy_to_host(copy_.data(), field.data(), copy_.size());
    data_ = copy_.data();
  }
  const std::byte* data() const { return data_; }

 private:
  const std::byte* data_;
  std::vector<std::byte> copy_;
};

}  // namespace

FieldRows::FieldRows(Communicator communicator, const GridDecomposition& grid, Index unit)
    : communicator_(std::move(communicator)),
      grid_(grid),
      unit_(unit),
      rows_(grid.cells()[0] * grid.cells()[1] * grid.cells()[2]) {
  detail::check_ranks(grid.ranks(), communicator_);
  if (unit < 1) throw MisuseError("FieldRows in units of 0 rows are not possible; use 1 or more");
}

IndexRange FieldRows::range(int rank) const {
  const IndexRange units = partition({0, (rows_ + unit_ - 1) / unit_}, communicator_.size(), rank);
  return {std::min(units.first * unit_, rows_), std::min(units.last * unit_, rows_)};
}

std::vector<std::byte> FieldRows::from_field(const Field& field) const {
  const FieldLayout& layout = field.layout();
  const Index bytes = field.row_bytes();
  std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(communicator_.size()));
  {
    const HostCopy host(field);
    for (int r = 0; r < communicator_.size(); ++r) {
      auto& to = outgoing[static_cast<std::size_t>(r)];
      for_each_run(grid_.cells(), layout.block, range(r), [&](Index, const Cell& at, Index count) {
        const std::byte* const from = host.data() + layout.row(at) * bytes;
        to.insert(to.end(), from, from + count * bytes);
      });
    }
  }
  const auto incoming = communicator_.exchange(std::move(outgoing));
  std::vector<std::byte> rows(static_cast<std::size_t>(mine().size() * bytes));
  for (int r = 0; r < communicator_.size(); ++r) {
    const std::byte* from = incoming[static_cast<std::size_t>(r)].data();
    for_each_run(grid_.cells(), grid_.block(r), mine(), [&](Index row, const Cell&, Index count) {
      std::memcpy(rows.data() + (row - mine().first) * bytes, from,
                  static_cast<std::size_t>(count * bytes));
      from += count * bytes;
    });
  }
  return rows;
}

void FieldRows::to_field(std::span<const std::byte> rows, Field& field) const {
  const FieldLayout& layout = field.layout();
  const Index bytes = field.row_bytes();
  if (static_cast<Index>(rows.size()) != mine().size() * bytes)
    throw MisuseError(
        "a field is filled from rows of another size; give mine().size() rows of its row_bytes()");
  std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(communicator_.size()));
  for (int r = 0; r < communicator_.size(); ++r) {
    auto& to = outgoing[static_cast<std::size_t>(r)];
    for_each_run(grid_.cells(), grid_.block(r), mine(), [&](Index row, const Cell&, Index count) {
      const std::byte* const from = rows.data() + (row - mine().first) * bytes;
      to.insert(to.end(), from, from + count * bytes);
    });
  }
  const auto incoming = communicator_.exchange(std::move(outgoing));
  if (layout.rows == 0) return;
  const bool is_cuda = field.executor().is_cuda();
  const auto all = static_cast<std::size_t>(layout.rows * bytes);
  std::vector<std::byte> copy(is_cuda ? all : 0);
  if (is_cuda) field.executor().copy_to_host(copy.data(), field.data(), all);
  std::byte* const to = is_cuda ? copy.data() : field.data();
  for (int r = 0; r < communicator_.size(); ++r) {
    const std::byte* from = incoming[static_cast<std::size_t>(r)].data();
    for_each_run(grid_.cells(), layout.block, range(r), [&](Index, const Cell& at, Index count) {
      std::memcpy(to + layout.row(at) * bytes, from, static_cast<std::size_t>(count * bytes));
      from += count * bytes;
    });
  }
  if (is_cuda) field.executor().copy_from_host(field.data(), copy.data(), all);
}

}  // namespace gsim
