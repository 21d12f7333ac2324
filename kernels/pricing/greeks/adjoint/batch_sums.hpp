#pragma once
// Statistics of Greeks from sums over batches of samples (adjoint_job.hpp). Those of a batch are
// added in the order of the samples, so that they are the same on all machines.

#include "gsim/pricing/block_statistics.hpp"
#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/greeks/adjoint/adjoint_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// A linear combination of the sums of a batch: that of number s is at sums[s * stride].
template <class D>
GSIM_HD D combined_sums(const AdjointTerm* term, std::int32_t first, std::int32_t last,
                        const double* sums, Index stride) {
  D combined(0.0);
  for (std::int32_t t = first; t < last; ++t)
    combined = fma(D(term[t].coefficient), load<D>(sums + term[t].sum * stride), combined);
  return combined;
}

/// The statistics of a block whose batches have the means x(b) and, of the control variate, y(b).
/// The samples of these statistics are the batches, each in a lane of its own.
template <class X, class Y>
GSIM_HD BlockStatistics batch_statistics(const X& x, const Y& y) {
  constexpr double count = batches_of_block;
  double sum_x = 0, sum_y = 0;
  GSIM_NO_UNROLL
  for (int b = 0; b < batches_of_block; ++b) {
    sum_x += x(b);
    sum_y += y(b);
  }
  BlockStatistics block{};
  block.count = block.lanes = count;
  block.mean_x = sum_x / count;
  block.mean_y = sum_y / count;
  GSIM_NO_UNROLL
  for (int b = 0; b < batches_of_block; ++b) {
    const double dx = x(b) - block.mean_x, dy = y(b) - block.mean_y;
    const double xx = dx * dx, yy = dy * dy, xy = dx * dy;
    block.m_xx += xx;
    block.m_yy += yy;
    block.m_xy += xy;
    block.q_xx_xx += xx * xx;
    block.q_xx_xy += xx * xy;
    block.q_xx_yy += xx * yy;
    block.q_xy_xy += xy * xy;
    block.q_xy_yy += xy * yy;
    block.q_yy_yy += yy * yy;
  }
  return block;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
