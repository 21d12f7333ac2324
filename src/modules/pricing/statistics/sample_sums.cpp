#include "src/modules/pricing/statistics/sample_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <future>
#include <utility>

namespace gsim::pricing {
namespace {

constexpr std::size_t doubles_per_block = sizeof(BlockStatistics) / sizeof(double);

/// The nodes of all stacks, which are numbered from 0.
std::vector<PackedNode> pack(std::span<const MergeStack<BlockStatistics>> stacks) {
  std::vector<PackedNode> packed;
  for (std::size_t i = 0; i < stacks.size(); ++i)
    for (const auto& node : stacks[i].nodes())
      packed.push_back({static_cast<std::int64_t>(i), node.level, node.index, node.value});
  return packed;
}

/// A batch with its trade, as exchanged between ranks.
struct PackedBatch {
  std::int64_t trade;
  BatchMean batch;
};

/// The batches of all trades, which are numbered from 0.
std::vector<PackedBatch> pack(std::span<const BatchMeans> trades) {
  std::vector<PackedBatch> packed;
  for (std::size_t t = 0; t < trades.size(); ++t)
    for (const BatchMean& batch : trades[t].batches())
      packed.push_back({static_cast<std::int64_t>(t), batch});
  return packed;
}

}  // namespace

SampleSums::SampleSums(Index trades, Index replicates, Index batched_trades)
    : trades_(trades),
      replicates_(replicates),
      stacks_(static_cast<std::size_t>(trades * replicates)),
      batches_(static_cast<std::size_t>(batched_trades)) {}

void SampleSums::simulate(const SampleSource& source, IndexRange range, LocalSums& local) const {
  // Statistics per call, two megabytes, and eight where so few blocks would not occupy an executor.
  constexpr Index max_statistics = 1 << 14, many_statistics = 1 << 16, few_blocks = 64;
  const auto trades = static_cast<Index>(source.trades.size());
  Index slice = max_statistics / std::max<Index>(1, trades);
  if (slice < few_blocks) slice = std::max<Index>(1, many_statistics / trades);
  if (range.empty()) return;
  const auto add = [&](IndexRange part, const std::vector<BlockStatistics>& blocks) {
    for (Index b = part.first; b < part.last; ++b)
      for (Index t = 0; t < trades; ++t) {
        const auto k = static_cast<std::size_t>(t);
        if (source.active[k] == 0) continue;
        const BlockStatistics& block =
            blocks[static_cast<std::size_t>((b - part.first) * trades + t)];
        const Index trade = source.trades[k];
        stack(local.stacks, trade, b % replicates_).push_block(b / replicates_, block);
        if (trade < static_cast<Index>(local.batches.size()))
          local.batches[static_cast<std::size_t>(trade)].push({0, b, block.mean_x, block.mean_y});
      }
  };
  PathEngine& engine = source.engine();
  // The statistics of a slice are added while a device simulates the next one.
  std::future<void> adding;
  for (Index first = range.first; first < range.last; first += slice) {
    const IndexRange part{first, std::min(first + slice, range.last)};
    std::vector<BlockStatistics> blocks = engine.run(part, source.active);
    if (adding.valid()) adding.get();
    if (part.last == range.last || !engine.uses_device())
      add(part, blocks);
    else
      adding = std::async(std::launch::async,
                          [&add, part, blocks = std::move(blocks)] { add(part, blocks); });
  }
}

void SampleSums::advance(std::span<const SampleSource> sources, const Communicator& communicator,
                         Index first, Index count, RegionTimer* timer) {
  LocalSums local{std::vector<Stack>(stacks_.size()), std::vector<BatchMeans>(batches_.size())};
  const IndexRange mine =
      shares_.divide(communicator, {first, first + count}).range(communicator.rank());
  double seconds = 0;
  communicator.agree([&] {
    RegionTimer::Scope simulating(timer, "paths");
    const Stopwatch stopwatch;
    for (const SampleSource& source : sources) simulate(source, mine, local);
    seconds = stopwatch.seconds();
  });
  shares_.measure(communicator, mine.size(), seconds);
  RegionTimer::Scope reducing(timer, "reduce");
  // Ranks hold contiguous ranges in rank order, so that the nodes in every stack are in order.
  const std::vector<PackedNode> packed = pack(local.stacks);
  for (const PackedNode& n : communicator.allgather<PackedNode>(packed))
    stacks_[static_cast<std::size_t>(n.stack)].push({static_cast<int>(n.level), n.index, n.value});
  if (batches_.empty()) return;
  const std::vector<PackedBatch> packed_batches = pack(local.batches);
  for (const PackedBatch& b : communicator.allgather<PackedBatch>(packed_batches))
    batches_[static_cast<std::size_t>(b.trade)].push(b.batch);
}

double SampleSums::samples(Index trade) const {
  double sum = 0;
  for (Index i = trade * replicates_; i < (trade + 1) * replicates_; ++i)
    for (const auto& n : stacks_[static_cast<std::size_t>(i)].nodes()) sum += n.value.count;
  return sum;
}

std::vector<BlockStatistics> SampleSums::of_trade(Index trade) const {
  std::vector<BlockStatistics> sums(static_cast<std::size_t>(replicates_));
  for (Index r = 0; r < replicates_; ++r) {
    const Stack& s = stacks_[static_cast<std::size_t>(trade * replicates_ + r)];
    if (!s.empty()) sums[static_cast<std::size_t>(r)] = s.total();
  }
  return sums;
}

void SampleSums::reset(Index trade) {
  for (Index r = 0; r < replicates_; ++r) stack(stacks_, trade, r) = {};
  if (trade < static_cast<Index>(batches_.size())) batches_[static_cast<std::size_t>(trade)] = {};
}

std::vector<Index> SampleSums::not_finite(IndexRange trades) const {
  std::vector<Index> found;
  for (Index i = trades.first * replicates_; i < trades.last * replicates_; ++i)
    for (const auto& n : stacks_[static_cast<std::size_t>(i)].nodes()) {
      const BlockStatistics& s = n.value;
      const Index trade = i / replicates_;
      const bool is_finite = std::isfinite(s.mean_x + s.m_xx + s.mean_y + s.m_yy + s.m_xy);
      if (!is_finite && (found.empty() || found.back() != trade)) found.push_back(trade);
    }
  return found;
}

void SampleSums::save(DatasetWriter& writer, const std::string& group, IndexRange trades) const {
  std::vector<std::int64_t> positions;
  std::vector<double> values;
  const std::span<const Stack> saved(stacks_.data() + trades.first * replicates_,
                                     stacks_.data() + trades.last * replicates_);
  for (const PackedNode& n : pack(saved)) {
    positions.insert(positions.end(), {n.stack, n.level, n.index});
    const auto list = std::bit_cast<std::array<double, doubles_per_block>>(n.value);
    values.insert(values.end(), list.begin(), list.end());
  }
  writer.write(group + "/node", positions, 3);
  writer.write(group + "/value", values, doubles_per_block);
}

void SampleSums::restore(DatasetReader& reader, const std::string& group, IndexRange trades) {
  const auto positions = reader.read<std::int64_t>(group + "/node");
  const auto values = reader.read<double>(group + "/value");
  if (positions.size() / 3 != values.size() / doubles_per_block)
    throw IoError("checkpoint: " + group + "/node and " + group + "/value differ in length");
  const std::span<Stack> restored(stacks_.data() + trades.first * replicates_,
                                  stacks_.data() + trades.last * replicates_);
  for (Stack& s : restored) s = {};
  for (std::size_t i = 0; i < positions.size() / 3; ++i) {
    const auto stack_index = static_cast<std::size_t>(positions[3 * i]);
    if (stack_index >= restored.size())
      throw IoError("checkpoint: " + group + "/node names no trade of this run");
    std::array<double, doubles_per_block> list;
    std::copy_n(&values[doubles_per_block * i], doubles_per_block, list.begin());
    restored[stack_index].nodes().push_back({static_cast<int>(positions[3 * i + 1]),
                                             positions[3 * i + 2],
                                             std::bit_cast<BlockStatistics>(list)});
  }
}

void SampleSums::save_batches(DatasetWriter& writer, const std::string& group) const {
  std::vector<std::int64_t> positions;
  std::vector<double> values;
  for (const PackedBatch& p : pack(batches_)) {
    positions.insert(positions.end(), {p.trade, p.batch.level, p.batch.index});
    values.insert(values.end(), {p.batch.mean_x, p.batch.mean_y});
  }
  writer.write(group + "/batch", positions, 3);
  writer.write(group + "/batch_mean", values, 2);
}

void SampleSums::restore_batches(DatasetReader& reader, const std::string& group) {
  const auto positions = reader.read<std::int64_t>(group + "/batch");
  const auto values = reader.read<double>(group + "/batch_mean");
  if (positions.size() / 3 != values.size() / 2)
    throw IoError("checkpoint: " + group + "/batch and " + group + "/batch_mean differ in length");
  for (BatchMeans& b : batches_) b = {};
  for (std::size_t i = 0; i < positions.size() / 3; ++i) {
    const auto trade = static_cast<std::size_t>(positions[3 * i]);
    if (trade >= batches_.size())
      throw IoError("checkpoint: " + group + "/batch names no trade of this run");
    batches_[trade].push(
        {positions[3 * i + 1], positions[3 * i + 2], values[2 * i], values[2 * i + 1]});
  }
}

}  // namespace gsim::pricing
