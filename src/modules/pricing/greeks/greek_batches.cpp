#include "src/modules/pricing/greeks/greek_batches.hpp"

#include <algorithm>

namespace gsim::pricing {

void GreekBatches::clear(Index tile_samples) {
  tile_samples_ = tile_samples;
  batches_.clear();
  finished_.clear();
  first_of_group_.clear();
  slot_list_.clear();
  target_list_.clear();
  launched_list_.clear();
  greek_list_.clear();
}

GreekBatches::Batch GreekBatches::begin() const {
  return {{}, slot_list_.size(), target_list_.size(), launched_list_.size(), greek_list_.size()};
}

void GreekBatches::add_market(const PathJob<double>& market, std::span<const std::int32_t> trades) {
  market_ = begin();
  for (std::size_t i = 0; i < trades.size(); ++i)
    add_trade(market_, market, static_cast<Index>(i), trades[i]);
}

void GreekBatches::begin_group() { first_of_group_.push_back(batches_.size()); }

void GreekBatches::add_stencil(const GreekStencil<double>& stencil, const ActiveStencil& active,
                               Index most_columns) {
  for (std::size_t e = 0; e < active.entries.size(); ++e) {
    const auto first = static_cast<std::size_t>(active.first_row[e]),
               last = static_cast<std::size_t>(active.first_row[e + 1]);
    const bool is_first_of_group = batches_.size() == first_of_group_.back();
    const auto has_room = [&](const GreekBatch<double>& b) {
      return b.trades.slots + b.greeks + stencil.points + static_cast<Index>(last - first) <=
             most_columns;
    };
    if (is_first_of_group || !has_room(batches_.back().batch)) {
      batches_.push_back(begin());
      batches_.back().batch.first_result = stencil.first_result + static_cast<Index>(first);
    }
    Batch& batch = batches_.back();
    const auto slot = static_cast<std::int32_t>(batch.batch.trades.slots);
    for (int p = 0; p < stencil.points; ++p)
      add_trade(batch, stencil.point[p], static_cast<Index>(e), active.entries[e]);
    for (std::size_t r = first; r < last; ++r)
      greek_list_.push_back({active.rows[r], active.base[e], slot, stencil.points});
    batch.batch.greeks += static_cast<Index>(last - first);
  }
}

void GreekBatches::add_trade(Batch& batch, const PathJob<double>& market, Index position,
                             std::int32_t trade) {
  const Index slot = batch.batch.trades.slots++;
  slot_list_.push_back({market.trade + trade, market.paths.asset_rows});
  const std::span launched(market.launched, static_cast<std::size_t>(market.launched_trades));
  const auto found =
      std::lower_bound(launched.begin(), launched.end(), position,
                       [](const LaunchedTrade<double>& l, Index at) { return l.position < at; });
  if (found == launched.end() || found->position != position) return;
  if (found->exercise == nullptr || found->exercise_job.launched != nullptr) {
    launched_list_.push_back({&market, &*found, slot});
    ++batch.batch.trades.launches;
    return;
  }
  target_list_.push_back({found->exercise_job.table, market.paths.asset_rows, slot * tile_samples_,
                          found->samples_control});
  TradeBatch<double>& trades = batch.batch.trades;
  trades.targets_are_vanilla =
      (trades.targets == 0 || trades.targets_are_vanilla) && found->exercise_job.is_vanilla;
  ++trades.targets;
  trades.exercise = found->exercise;
}

GreekBatch<double> GreekBatches::finished(const Batch& batch) const {
  GreekBatch<double> b = batch.batch;
  b.trades.slot = slots_.view().data + batch.slot;
  b.trades.exercised = targets_.view().data + batch.target;
  b.trades.launched = launched_list_.data() + batch.launched;
  b.greek = greeks_.view().data + batch.greek;
  return b;
}

void GreekBatches::finish(const Executor& executor) {
  first_of_group_.push_back(batches_.size());
  slots_ =
      Array<TradeInMarket<double>>(executor, std::span<const TradeInMarket<double>>(slot_list_));
  targets_ = Array<ExerciseTarget<double>>(executor,
                                           std::span<const ExerciseTarget<double>>(target_list_));
  greeks_ = Array<GreekOfBatch>(executor, std::span<const GreekOfBatch>(greek_list_));
  market_.batch = finished(market_);
  for (const Batch& batch : batches_) finished_.push_back(finished(batch));
}

Index GreekBatches::most_slots() const {
  Index most = 0;
  for (const Batch& b : batches_) most = std::max(most, b.batch.trades.slots);
  return most;
}

Index GreekBatches::most_greeks() const {
  Index most = 0;
  for (const Batch& b : batches_) most = std::max(most, b.batch.greeks);
  return most;
}

}  // namespace gsim::pricing
