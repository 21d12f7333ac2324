#include "gsim/pricing/block_statistics.hpp"

namespace gsim::pricing {

BlockStatistics merge(const BlockStatistics& first, const BlockStatistics& second) {
  if (first.count == 0) return second;
  if (second.count == 0) return first;
  const double n = first.count + second.count;
  const double share = second.count / n;
  const double dx = second.mean_x - first.mean_x, dy = second.mean_y - first.mean_y;
  const double cross = first.count * share;
  BlockStatistics both;
  both.count = n;
  both.mean_x = first.mean_x + dx * share;
  both.mean_y = first.mean_y + dy * share;
  both.m_xx = first.m_xx + second.m_xx + dx * dx * cross;
  both.m_yy = first.m_yy + second.m_yy + dy * dy * cross;
  both.m_xy = first.m_xy + second.m_xy + dx * dy * cross;
  both.lanes = first.lanes + second.lanes;
  both.q_xx_xx = first.q_xx_xx + second.q_xx_xx;
  both.q_xx_xy = first.q_xx_xy + second.q_xx_xy;
  both.q_xx_yy = first.q_xx_yy + second.q_xx_yy;
  both.q_xy_xy = first.q_xy_xy + second.q_xy_xy;
  both.q_xy_yy = first.q_xy_yy + second.q_xy_yy;
  both.q_yy_yy = first.q_yy_yy + second.q_yy_yy;
  return both;
}

}  // namespace gsim::pricing
