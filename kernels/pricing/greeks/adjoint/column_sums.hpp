#pragma once
// The sums of stored derivatives of a payoff times columns of the tile, on the host: the same
// operations in the same order as sweep_columns() (reverse_sweep.hpp), over many samples.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Samples of the tile, a whole number of LaneSums::lanes, with rows of numbers for their paths.
template <class T>
struct SampleRange {
  const Tile<T>* tile;
  Index first, samples;  ///< the first sample in the tile, and their number
  Index tile_samples;    ///< antithetic paths are this much further in the tile,
  Index width;           ///< and this much in rows of numbers
  Index row;             ///< numbers of a row

  const T* column(Index row_of_tile) const {
    return tile->data + row_of_tile * tile->stride + first;
  }
  /// Calls use(offset in a row, offset in the tile) for the LaneSums::lanes paths of each sample,
  /// in order.
  template <class Use>
  GSIM_HD void for_all_lanes(const Use& use) const {
    const Index end = samples, last = tile->stride - first;  // stores cannot change copies
    const Index to_antithetic = tile_samples, to_antithetic_of_row = width;
    for (Index s = 0; s < end; s += LaneSums::lanes)
      for (Index d = s, path = s; path < last; d += to_antithetic_of_row, path += to_antithetic)
        use(d, path);
  }
};
/// Derivatives by the log-spots of one asset at all dates of a sweep, a row for each date.
template <class T>
struct StoredDerivatives : SampleRange<T> {
  const T *later, *here;  ///< H_j and G_j
};

/// The sums of `count` columns that have one segment, and are not read as differences: the products
/// over one date.
template <int count, class T>
void add_products(const AdjointSweep<T>& sweep, const AdjointColumn* column,
                  const StoredDerivatives<T>& stored, double* sums) {
  using D = packed<T>;
  constexpr int width = lanes_of<D>, parts = LaneSums::lanes / width;
  const T* const derivative = column->is_tangent ? stored.here : stored.later;
  const T* value[count];
  D sum[count][parts];
  for (int c = 0; c < count; ++c) {
    value[c] = stored.column(sweep.date[0].record + column[c].row);
    for (int i = 0; i < parts; ++i)
      sum[c][i] = load<D>(sums + column[c].sum[0] * LaneSums::lanes + i * width);
  }
  stored.for_all_lanes([&](Index d, Index path) {
    for (int i = 0; i < parts; ++i) {
      const D by_log_spot = load<D>(derivative + d + i * width);
      for (int c = 0; c < count; ++c)
        sum[c][i] = fma(by_log_spot, load<D>(value[c] + path + i * width), sum[c][i]);
    }
  });
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < parts; ++i)
      store(sums + column[c].sum[0] * LaneSums::lanes + i * width, sum[c][i]);
}

/// The same over several dates.
template <int count, class T>
void add_products_of_dates(const AdjointSweep<T>& sweep, const AdjointColumn* column,
                           const StoredDerivatives<T>& stored, double* sums) {
  using D = packed<T>;
  constexpr int width = lanes_of<D>, parts = LaneSums::lanes / width;
  const Index dates = sweep.dates, stride = stored.tile->stride;
  const AdjointDate* const date = sweep.date;
  const T* const derivative = column->is_tangent ? stored.here : stored.later;
  stored.for_all_lanes([&](Index d, Index path) {
    const T* value[count];
    D by_column[count][parts];
    for (int c = 0; c < count; ++c) {
      value[c] = stored.column(column[c].row) + path;
      for (int i = 0; i < parts; ++i) by_column[c][i] = D(T(0));
    }
    const T* at = derivative + d;
    for (Index j = 0; j < dates; ++j, at += stored.row) {
      const Index record = date[j].record * stride;
      for (int i = 0; i < parts; ++i) {
        const D by_log_spot = load<D>(at + i * width);
        for (int c = 0; c < count; ++c)
          by_column[c][i] =
              fma(by_log_spot, load<D>(value[c] + record + i * width), by_column[c][i]);
      }
    }
    for (int c = 0; c < count; ++c) {
      double* const sum = sums + column[c].sum[dates - 1] * LaneSums::lanes;
      for (int i = 0; i < parts; ++i)
        store(sum + i * width, load<D>(sum + i * width) + by_column[c][i]);
    }
  });
}

/// The sums of any column.
template <class T>
void add_column(const AdjointSweep<T>& sweep, const AdjointColumn& column,
                const StoredDerivatives<T>& stored, double* sums) {
  using P = Pack<T, LaneSums::lanes>;
  const T* const derivative = column.is_tangent ? stored.here : stored.later;
  stored.for_all_lanes([&](Index d, Index path) {
    P by_column(T(0));
    const T* const paths = stored.tile->data + stored.first + path;
    for (Index j = 0; j < sweep.dates; ++j)
      add_date(column, sweep.date[j], j, load<P>(derivative + d + j * stored.row), paths,
               stored.tile->stride, by_column, [&](std::int32_t sum, P value) {
                 double* const at = sums + sum * LaneSums::lanes;
                 store(at, load<P>(at) + value);
               });
  });
}

/// Adds the sums of all columns of a sweep.
template <class T>
inline __attribute__((noinline)) void add_columns(const AdjointSweep<T>& sweep,
                                                  const StoredDerivatives<T>& stored,
                                                  double* sums) {
  constexpr std::int32_t most = LaneSums::lanes / lanes_of<packed<T>> <= 4 ? 3 : 1;
  const auto is_simple = [&](const AdjointColumn& c) {
    return c.is_tangent || (sweep.dates == 1 && sweep.date[0].last_record < 0);
  };
  for (std::int32_t c = 0; c < sweep.columns;) {
    const AdjointColumn* const column = sweep.column + c;
    if (!is_simple(*column)) {
      add_column(sweep, *column, stored, sums);
      ++c;
      continue;
    }
    std::int32_t count = 1;
    while (count < most && c + count < sweep.columns && is_simple(column[count]) &&
           column[count].is_tangent == column->is_tangent)
      ++count;
    const auto add = [&](auto n) {
      sweep.dates == 1 ? add_products<n.value>(sweep, column, stored, sums)
                       : add_products_of_dates<n.value>(sweep, column, stored, sums);
    };
    if (count == 3)
      add(std::integral_constant<int, 3>());
    else if (count == 2)
      add(std::integral_constant<int, 2>());
    else
      add(std::integral_constant<int, 1>());
    c += count;
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
