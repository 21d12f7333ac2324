#pragma once
// The working memory of the kernels that compute Greeks, and the difference of samples.

#include "kernels/pricing/greeks/greeks_job.hpp"
#include "kernels/pricing/paths/scratch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Byte offsets of the arrays in a part (GreekScratch), and its size in bytes.
struct GreekLayout {
  ScratchLayout tile;  ///< of the simulations, which begins the part
  Index base, base_control, point, point_control, adjoint, derivatives, script, row, row_control,
      sums, bytes;
};

/// Host: derivatives of a payoff that are stored together, which fit the first-level cache; more
/// where those of one sample in each lane are more.
inline constexpr Index stored_derivatives = 2048;
/// Host: rows of TerminalGradient.
inline constexpr Index terminal_rows = 2;
/// Host: number of samples whose derivatives, `rows` for each, are stored together.
inline Index samples_of_derivatives(Index rows) {
  Index samples = 32 * Index{LaneSums::lanes};
  while (samples > LaneSums::lanes && samples * rows > stored_derivatives) samples /= 2;
  return samples;
}

/// Number of LaneSums that a CUDA device holds: those of the trades or Greeks whose samples are
/// added together.
template <class T>
inline Index device_sums(const GreeksJob<T>& job) {
  const Index prices = job.has_prices ? job.base.active_trades : 0;
  const Index rows = prices > job.rows_at_once ? prices : job.rows_at_once;
  return rows * (job.tile_samples / job.block_samples);
}

/// Whether the samples of all trades in the market itself are in memory together: on the host, in
/// whose tiles there are parts of a block, for stencils alone.
template <class T>
inline bool keeps_samples(const GreeksJob<T>& job) {
  return job.groups > 0 || job.tile_samples >= job.block_samples;
}

/// Host: number of LaneSums, which are those of the first results.
template <class T>
inline Index host_sums(const GreeksJob<T>& job) {
  return job.rows - job.adjoint.rows;
}

/// `sums` is the number of LaneSums.
template <class T>
inline GreekLayout greek_layout(const GreeksJob<T>& job, Index group_stride, Index sums) {
  GreekLayout layout{};
  layout.tile = scratch_layout(job.base.paths, job.tile_samples, group_stride, Index{0}, Index{0});
  Index end = layout.tile.bytes;
  const auto reserve = [&](Index bytes) {
    const Index at = end;
    end += (bytes + 255) / 256 * 256;
    return at;
  };
  const Index column = job.tile_samples * Index{sizeof(double)};
  const Index points = job.slots_at_once * column;
  const Index kept = keeps_samples(job) ? job.base.active_trades : 1;
  layout.base = reserve(kept * column);
  layout.base_control = reserve(kept * column);
  layout.point = reserve(points);
  layout.point_control = reserve(points);
  const Index blocks =
      job.tile_samples > job.block_samples ? job.tile_samples / job.block_samples : 1;
  layout.adjoint = reserve(job.sums_at_once * blocks * batches_of_block * Index{sizeof(double)});
  const Index derivatives = job.derivative_rows * LaneSums::lanes;
  layout.derivatives = reserve(
      (derivatives > stored_derivatives ? derivatives : stored_derivatives) * Index{sizeof(T)});
  layout.script = reserve(job.script_numbers * Index{sizeof(T)});
  layout.row = reserve(job.rows_at_once * column);
  layout.row_control = reserve(job.rows_at_once * column);
  layout.sums = reserve(sums * Index{sizeof(LaneSums)});
  layout.bytes = end;
  return layout;
}

/// Pointers into one part of the scratch memory. Arrays of samples are [trade][tile_samples] and,
/// at the points, [slot][tile_samples]; each has a second one for controls. The sums of adjoint
/// Greeks are [part][sum][lane] on the host, [sum][block][part][lane] on a CUDA device. The
/// derivatives of a payoff are [row][path of the sample][sample]; `script` is the memory of scripts
/// (script_job.hpp).
struct GreekScratch {
  std::byte* memory;
  double *base, *base_control, *point, *point_control, *adjoint, *derivatives, *script, *row,
      *row_control;
  LaneSums* sums;
  ScratchLayout layout;

  GreekScratch(std::byte* at, const GreekLayout& l)
      : memory(at),
        base(reinterpret_cast<double*>(at + l.base)),
        base_control(reinterpret_cast<double*>(at + l.base_control)),
        point(reinterpret_cast<double*>(at + l.point)),
        point_control(reinterpret_cast<double*>(at + l.point_control)),
        adjoint(reinterpret_cast<double*>(at + l.adjoint)),
        derivatives(reinterpret_cast<double*>(at + l.derivatives)),
        script(reinterpret_cast<double*>(at + l.script)),
        row(reinterpret_cast<double*>(at + l.row)),
        row_control(reinterpret_cast<double*>(at + l.row_control)),
        sums(reinterpret_cast<LaneSums*>(at + l.sums)),
        layout(l.tile) {}

  /// The tile, in which the assets have the rows of `paths`; samples go to the given arrays.
  template <class T>
  Scratch<T> tile(const PathTable<T>& paths, Index tile_samples, double* samples = nullptr,
                  double* control_samples = nullptr) const {
    Scratch<T> scratch(paths, memory, layout, tile_samples);
    scratch.samples = samples;
    scratch.control_samples = control_samples;
    return scratch;
  }
};

/// The sample of a Greek at position `at`: point p has its samples at `point` + p * `stride`.
template <class D>
GSIM_HD D greek_sample(const GreekRow& row, int points, const double* base, const double* point,
                       Index stride, Index at) {
  const D x = load<D>(base + at);
  D sum = D(row.coefficient[0]) * (load<D>(point + at) - x);
  for (int p = 1; p < points; ++p)
    sum = fma(D(row.coefficient[p]), load<D>(point + p * stride + at) - x, sum);
  return sum;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
