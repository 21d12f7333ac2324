#pragma once
// The working memory of the kernels that compute Greeks, and the difference of samples.

#include "kernels/pricing/greeks/greeks_job.hpp"
#include "kernels/pricing/paths/scratch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Byte offsets of the arrays in a part (GreekScratch), and its size in bytes.
struct GreekLayout {
  Index slot;  ///< bytes of a slot, the scratch memory of one simulation
  Index base, base_control, point, point_control, row, row_control, sums, bytes;
};

/// The bytes of the scratch memory of one simulation.
template <class T>
GSIM_HD Index slot_bytes(const PathTable<T>& paths, Index tile_samples, Index group_stride) {
  return scratch_layout(paths, tile_samples, group_stride, Index{0}, Index{0}).bytes;
}

/// `sums` is the number of LaneSums.
template <class T>
inline GreekLayout greek_layout(const GreeksJob<T>& job, Index group_stride, Index sums) {
  GreekLayout layout{};
  layout.slot = slot_bytes(job.base.paths, job.tile_samples, group_stride);
  for (Index i = 0; i < job.stencils; ++i)
    for (int p = 0; p < job.stencil[i].points; ++p) {
      const Index bytes = slot_bytes(job.stencil[i].point[p].paths, job.tile_samples, group_stride);
      if (bytes > layout.slot) layout.slot = bytes;
    }
  Index end = layout.slot * job.slots;
  const auto reserve = [&](Index bytes) {
    const Index at = end;
    end += (bytes + 255) / 256 * 256;
    return at;
  };
  const Index column = job.tile_samples * Index{sizeof(double)};
  const Index points = max_greek_points * job.entries_at_once * column;
  layout.base = reserve(job.base.active_trades * column);
  layout.base_control = reserve(job.base.active_trades * column);
  layout.point = reserve(points);
  layout.point_control = reserve(points);
  layout.row = reserve(job.rows_at_once * column);
  layout.row_control = reserve(job.rows_at_once * column);
  layout.sums = reserve(sums * Index{sizeof(LaneSums)});
  layout.bytes = end;
  return layout;
}

/// Pointers into one part of the scratch memory. Arrays of samples are [trade][tile_samples] and,
/// at the points, [point][entries_at_once][tile_samples]; each has a second one for controls.
struct GreekScratch {
  std::byte* memory;
  double *base, *base_control, *point, *point_control, *row, *row_control;
  LaneSums* sums;
  Index slot;

  GreekScratch(std::byte* at, const GreekLayout& layout)
      : memory(at),
        base(reinterpret_cast<double*>(at + layout.base)),
        base_control(reinterpret_cast<double*>(at + layout.base_control)),
        point(reinterpret_cast<double*>(at + layout.point)),
        point_control(reinterpret_cast<double*>(at + layout.point_control)),
        row(reinterpret_cast<double*>(at + layout.row)),
        row_control(reinterpret_cast<double*>(at + layout.row_control)),
        sums(reinterpret_cast<LaneSums*>(at + layout.sums)),
        slot(layout.slot) {}

  /// The memory of the simulation in slot `index`, whose samples go to the given arrays.
  template <class T>
  Scratch<T> simulation(const PathTable<T>& paths, Index index, Index tile_samples,
                        Index group_stride, double* samples, double* control_samples) const {
    Scratch<T> scratch(paths, memory + index * slot,
                       scratch_layout(paths, tile_samples, group_stride, Index{0}, Index{0}),
                       tile_samples);
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
