#pragma once
// The statistics of one trade over one block of samples, which kernels write and set-up code
// merges.

namespace gsim::pricing {

/// Mean and central second moments of the discounted payoff x and its control variate y (0 without
/// one), in double whatever the precision of the paths. The samples of a block are also divided
/// into 16 lanes: q_ab_cd is the sum over the lanes of m_ab m_cd of each lane (about the means of
/// the block), from which the number of samples that contribute to the variance is estimated.
struct BlockStatistics {
  double count = 0;
  double mean_x = 0, mean_y = 0;
  double m_xx = 0, m_yy = 0, m_xy = 0;
  double lanes = 0;  ///< number of lanes of all blocks
  double q_xx_xx = 0, q_xx_xy = 0, q_xx_yy = 0, q_xy_xy = 0, q_xy_yy = 0, q_yy_yy = 0;
};

/// The statistics of both blocks together: the exact pairwise update of Chan, Golub and LeVeque
/// (1979), eq. 2.1, for means, second moments and the co-moment, plain sums for the rest.
BlockStatistics merge(const BlockStatistics& first, const BlockStatistics& second);

}  // namespace gsim::pricing
