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

/// The statistics of a block, of one quantity or of a pack of quantities.
template <class D>
struct BatchMoments {
  D mean_x{}, mean_y{}, xx{}, yy{}, xy{}, xx_xx{}, xx_xy{}, xx_yy{}, xy_xy{}, xy_yy{}, yy_yy{};
};

/// Those of a block whose batches have the means x(b) and, of the control variate, y(b). The
/// samples of these statistics are the batches, each in a lane of its own.
template <class D, class X, class Y>
GSIM_HD BatchMoments<D> batch_moments(const X& x, const Y& y) {
  BatchMoments<D> m;
  GSIM_NO_UNROLL
  for (int b = 0; b < batches_of_block; ++b) {
    m.mean_x = m.mean_x + x(b);
    m.mean_y = m.mean_y + y(b);
  }
  const D share(1.0 / batches_of_block);  // a power of two
  m.mean_x = m.mean_x * share;
  m.mean_y = m.mean_y * share;
  GSIM_NO_UNROLL
  for (int b = 0; b < batches_of_block; ++b) {
    const D dx = x(b) - m.mean_x, dy = y(b) - m.mean_y;
    const D xx = dx * dx, yy = dy * dy, xy = dx * dy;
    m.xx = m.xx + xx;
    m.yy = m.yy + yy;
    m.xy = m.xy + xy;
    m.xx_xx = m.xx_xx + xx * xx;
    m.xx_xy = m.xx_xy + xx * xy;
    m.xx_yy = m.xx_yy + xx * yy;
    m.xy_xy = m.xy_xy + xy * xy;
    m.xy_yy = m.xy_yy + xy * yy;
    m.yy_yy = m.yy_yy + yy * yy;
  }
  return m;
}

/// The statistics of one quantity, number `lane` of a pack.
template <class D>
GSIM_HD BlockStatistics block_statistics(const BatchMoments<D>& m, int lane = 0) {
  BlockStatistics block{};
  block.count = block.lanes = batches_of_block;
  block.mean_x = extract(m.mean_x, lane);
  block.mean_y = extract(m.mean_y, lane);
  block.m_xx = extract(m.xx, lane);
  block.m_yy = extract(m.yy, lane);
  block.m_xy = extract(m.xy, lane);
  block.q_xx_xx = extract(m.xx_xx, lane);
  block.q_xx_xy = extract(m.xx_xy, lane);
  block.q_xx_yy = extract(m.xx_yy, lane);
  block.q_xy_xy = extract(m.xy_xy, lane);
  block.q_xy_yy = extract(m.xy_yy, lane);
  block.q_yy_yy = extract(m.yy_yy, lane);
  return block;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
