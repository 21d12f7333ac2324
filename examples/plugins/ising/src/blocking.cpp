#include "blocking.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace ising {

BlockedMean blocked_mean(std::span<const double> values) {
  constexpr std::size_t min_blocks = 32;
  BlockedMean result;
  for (const double v : values) result.mean += v;
  if (!values.empty()) result.mean /= static_cast<double>(values.size());
  result.standard_error = std::numeric_limits<double>::infinity();
  std::vector<double> blocks(values.begin(), values.end());
  for (bool first = true; blocks.size() >= (first ? 2 : min_blocks); first = false) {
    double mean = 0, square = 0;
    for (const double v : blocks) mean += v;
    const auto n = static_cast<double>(blocks.size());
    mean /= n;
    for (const double v : blocks) square += (v - mean) * (v - mean);
    const double error = std::sqrt(square / (n * (n - 1)));
    if (first || error > result.standard_error) {
      result.standard_error = error;
      result.blocks = static_cast<gsim::Index>(blocks.size());
    }
    for (std::size_t i = 0; 2 * i + 1 < blocks.size(); ++i)
      blocks[i] = 0.5 * (blocks[2 * i] + blocks[2 * i + 1]);
    blocks.resize(blocks.size() / 2);
  }
  return result;
}

}  // namespace ising
