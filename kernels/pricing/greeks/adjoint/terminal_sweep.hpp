#pragma once
// The reverse sweep of payoffs that depend on the last fixing alone, on the host: the same
// operations in the same order as sweep_asset() (reverse_sweep.hpp), over many samples.

#include <limits>

#include "kernels/pricing/greeks/adjoint/column_sums.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The derivative with respect to the underlying and the underlying itself, on the paths of some
/// samples.
template <class T>
struct TerminalGradient {
  const T *derivative, *spot;
};

/// Adds value(offset in a row, offset in the tile) of all paths, which are packs, to a sum.
template <class T, class Value>
GSIM_HD void add_values(const SampleRange<T>& range, double* sum, const Value& value) {
  using D = packed<T>;
  constexpr int width = lanes_of<D>, parts = LaneSums::lanes / width;
  D total[parts];
  for (int i = 0; i < parts; ++i) total[i] = load<D>(sum + i * width);
  range.for_all_lanes([&](Index d, Index path) {
    for (int i = 0; i < parts; ++i) total[i] = total[i] + value(d + i * width, path + i * width);
  });
  for (int i = 0; i < parts; ++i) store(sum + i * width, total[i]);
}

/// The derivatives of the best or worst of several assets by the log-spot of the a-th one. Of
/// several equal ones the first is taken: for assets in their order, `whole` becomes NaN where one
/// has been found.
template <class T>
inline __attribute__((noinline)) void derive_selected(const PayoffView<T>& terms, Index a,
                                                      const SampleRange<T>& range, const T* by_spot,
                                                      T* whole, T* out) {
  using D = packed<T>;
  const Tile<T>& tile = *range.tile;
  const T* const spot =
      range.column(terms.record[terms.fixings - 1] * tile.rows + tile.asset[terms.asset[a]].spot);
  const D weight(terms.weight[a]), none(std::numeric_limits<T>::quiet_NaN());
  range.for_all_lanes([&](Index d, Index path) {
    for (int i = 0; i < LaneSums::lanes; i += lanes_of<D>) {
      const D part = weight * load<D>(spot + path + i), left = load<D>(whole + d + i);
      const auto is_selected = part == left;
      store(out + d + i, select(is_selected, load<D>(by_spot + d + i) * part, D(T(0))));
      store(whole + d + i, select(is_selected, none, left));
    }
  });
}

/// Stores by_log_spot(offset in a row, offset in the tile) of all paths, which are packs, in `out`,
/// and adds it to the sum `total`.
template <class T, class Derive>
GSIM_HD void derive_terminal(const SampleRange<T>& range, T* out, double* total,
                             const Derive& by_log_spot) {
  using D = packed<T>;
  constexpr int width = lanes_of<D>, parts = LaneSums::lanes / width;
  D sum[parts];
  for (int i = 0; i < parts; ++i) sum[i] = load<D>(total + i * width);
  range.for_all_lanes([&](Index d, Index path) {
    for (int i = 0; i < parts; ++i) {
      const D g = by_log_spot(d + i * width, path + i * width);
      store(out + d + i * width, g);
      sum[i] = sum[i] + g;
    }
  });
  for (int i = 0; i < parts; ++i) store(total + i * width, sum[i]);
}

/// The derivatives by the log-spot of the asset of a sweep with one date, which go to `out`, and
/// the sums of the sweep without its columns. Of the best or worst of several assets out[] holds
/// them before (derive_selected()).
template <class T>
inline __attribute__((noinline)) void sweep_terminal(const AdjointSweep<T>& sweep,
                                                     const PayoffView<T>& terms,
                                                     const SampleRange<T>& range,
                                                     const TerminalGradient<T>& gradient, T* out,
                                                     double* sums) {
  using D = packed<T>;
  constexpr int lanes = LaneSums::lanes;
  const Tile<T>& tile = *range.tile;
  const Index record = terms.record[terms.fixings - 1] * tile.rows, a = sweep.position;
  const T* const spot = range.column(record + tile.asset[terms.asset[a]].spot);
  const T *const by_spot = gradient.derivative, *const whole = gradient.spot;
  const D weight(terms.weight[a]);
  const auto scale = [=](Index d) { return load<D>(by_spot + d) * load<D>(whole + d); };
  double unused[lanes] = {};
  const auto sum = [&](std::int32_t index) { return sums + index * lanes; };
  double* const total = sweep.total >= 0 ? sum(sweep.total) : unused;
  const auto derive = [&](const auto& by_log_spot) {
    derive_terminal(range, out, total, by_log_spot);
  };
  switch (terms.combination) {
    case Combination::single:
      derive([=](Index d, Index path) { return load<D>(by_spot + d) * load<D>(spot + path); });
      break;
    case Combination::weighted_sum:
      derive([=](Index d, Index path) {
        return load<D>(by_spot + d) * (weight * load<D>(spot + path));
      });
      break;
    case Combination::geometric:
      derive([=](Index d, Index) { return scale(d) * weight; });
      break;
    case Combination::best_of:
    case Combination::worst_of:
      derive([=](Index d, Index) { return load<D>(out + d); });
      break;
  }
  if (sweep.weight >= 0 && terms.combination == Combination::geometric) {
    const T* const log = range.column(record + tile.asset[terms.asset[a]].log);
    add_values(range, sum(sweep.weight),
               [=](Index d, Index path) { return scale(d) * load<D>(log + path); });
  } else if (sweep.weight >= 0) {
    add_values(range, sum(sweep.weight),
               [=](Index d, Index path) { return load<D>(by_spot + d) * load<D>(spot + path); });
  }
  if (sweep.scale >= 0)
    add_values(range, sum(sweep.scale), [=](Index d, Index) { return scale(d); });
}

}  // namespace pricing_kernels
GSIM_TARGET_END
