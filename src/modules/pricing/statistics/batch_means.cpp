#include "src/modules/pricing/statistics/batch_means.hpp"

#include <bit>
#include <cstdint>

namespace gsim::pricing {
namespace {

// Between 2^m and 2^(m + 1) blocks there are two intervals of evaluation points, with 16 batches
// each.
constexpr Index batches_per_octave = 32;

Index largest_level(Index block) {
  if (block < batches_per_octave) return 0;
  const auto ratio = static_cast<std::uint64_t>(block / batches_per_octave);
  return static_cast<Index>(std::bit_width(ratio)) - 1;
}

}  // namespace

void BatchMeans::push(BatchMean batch) {
  batches_.push_back(batch);
  while (batches_.size() >= 2) {
    BatchMean& left = batches_[batches_.size() - 2];
    const BatchMean& right = batches_.back();
    if (left.level != right.level || left.index % 2 != 0 || right.index != left.index + 1 ||
        left.level >= largest_level(left.first_block()))
      break;
    left = {left.level + 1, left.index / 2, 0.5 * (left.mean_x + right.mean_x),
            0.5 * (left.mean_y + right.mean_y)};
    batches_.pop_back();
  }
}

void BatchMeans::append(const BatchMeans& later) {
  for (const BatchMean& batch : later.batches_) push(batch);
}

Index BatchMeans::blocks() const {
  Index sum = 0;
  for (const BatchMean& batch : batches_) sum += batch.blocks();
  return sum;
}

Index batch_count(Index blocks) {
  if (blocks <= batches_per_octave) return blocks;
  return batches_per_octave * (1 + largest_level(blocks) + 1);
}

}  // namespace gsim::pricing
