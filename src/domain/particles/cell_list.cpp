#include "gsim/domain/cell_list.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/domain/halo.hpp"
#include "kernels/domain/bin_rows.hpp"
#include "kernels/domain/exclusive_scan.hpp"
#include "src/domain/particles/host_column.hpp"

namespace gsim {

CellGrid make_cell_grid(const Box& box, double reach, Index rows) {
  CellGrid grid;
  double required[3];
  for (int a = 0; a < 3; ++a) {
    required[a] = std::clamp(std::floor(1 / box.fraction_of(a, reach)), 1.0, 0x1p20);
    grid.cells[a] = static_cast<std::uint32_t>(required[a]);
  }
  // About two bins per particle at most.
  const double max_bins = 2 * static_cast<double>(rows) + 64;
  double parts = 1;  // number of parts of each axis whose cells map to the same bins
  const auto bins = [&](int a) { return std::max(1.0, std::floor(required[a] / parts)); };
  while (bins(0) * bins(1) * bins(2) > max_bins) ++parts;
  for (int a = 0; a < 3; ++a) grid.bins[a] = static_cast<std::uint32_t>(bins(a));
  return grid;
}

CellList::CellList(const Executor& executor, const Box& box, double reach)
    : box_(box), reach_(reach), first_(executor, 0), rows_(executor, 0), places_(executor, 0) {
  GSIM_VALIDATE(std::isfinite(reach) && reach > 0,
                "neighbours up to " + std::to_string(reach) + " apart cannot be listed",
                "use a positive distance");
  check_halo_width(box, reach);
}

void CellList::bin_rows(ParticleStore& store, Index count) {
  const Executor& executor = store.executor();
  const View<FixedPosition> positions = store.view<FixedPosition>(store.position());
  positions_ = positions.data;
  grid_ = make_cell_grid(box_, reach_, count);
  const Index bins = grid_.size();
  first_.resize_discard(bins + 1);
  rows_.resize_discard(count);
  places_.resize_discard(count);
  const domain::BinCountArgs counted{
      grid_, {positions.data, count}, first_.view().data, places_.view().data};
  domain_bin_count(executor, counted);
  domain_exclusive_scan(executor, {first_.view()});
  domain_bin_fill(executor, {counted, first_.view().data, rows_.view().data});
  domain_bin_sort(executor, {bins, first_.view().data, rows_.view().data,
                             store.view<std::int64_t>(store.id()).data});
}

void CellList::build(ParticleStore& store) { bin_rows(store, store.locals() + store.ghosts()); }

CellListView CellList::view() const {
  CellListView view;
  view.grid = grid_;
  view.first = first_.view().data;
  view.rows = rows_.view().data;
  view.positions = positions_;
  const auto box_matrix = box_.matrix(64);
  std::copy(box_matrix.begin(), box_matrix.end(), view.box_matrix);
  view.reach = reach_;
  return view;
}

void CellList::sort(ParticleStore& store) {
  bin_rows(store, store.locals());
  store.permute(std::as_const(rows_).view());
}

std::size_t CellList::memory() const {
  return static_cast<std::size_t>(first_.size() + rows_.size() + places_.size()) *
         sizeof(std::int32_t);
}

namespace {

/// The local rows sorted by the column, and by id where values are equal.
template <class Key>
std::vector<std::int32_t> order_by(const ParticleStore& store, ColumnId column) {
  const detail::HostColumn<Key> key(store, column);
  const detail::HostColumn<std::int64_t> id(store, store.id());
  std::vector<std::int32_t> order(static_cast<std::size_t>(store.locals()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return key[a] != key[b] ? key[a] < key[b] : id[a] < id[b];
  });
  return order;
}

std::vector<std::int32_t> order_by_key(const ParticleStore& store, ColumnId key) {
  const ParticleStore::Column& column = store.column(key);
  if (column.components == 1) switch (column.type) {
      case ElementType::int32:
        return order_by<std::int32_t>(store, key);
      case ElementType::int64:
        return order_by<std::int64_t>(store, key);
      case ElementType::uint64:
        return order_by<std::uint64_t>(store, key);
      default:
        break;
    }
  throw InputError("particles cannot be sorted by the column \"" + column.name +
                   "\": a key is one integer per particle");
}

}  // namespace

void sort_by_key(ParticleStore& store, ColumnId key) {
  const std::vector<std::int32_t> order = order_by_key(store, key);
  const Array<std::int32_t> rows(store.executor(), order);
  store.permute(rows.view());
  store.executor().synchronize();  // `rows` is destroyed
}

}  // namespace gsim
