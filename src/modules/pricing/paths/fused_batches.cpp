#include "src/modules/pricing/paths/fused_batches.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/pricing/fused/sample_fused.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;
namespace {

/// Largest number of batches, whose tables are in the executor's memory together.
constexpr std::size_t most_batches = 64;

/// The state of a payoff.
struct StateKind {
  int words = 0;  ///< 0: it cannot be kept in words
  bool last_fixing_only = false;
};
template <class T>
StateKind state_of(const PayoffView<T>& view) {
  StateKind kind;
  with_fused_functor<Strict>(view.formula, view, [&](const auto& functor) {
    using Functor = std::decay_t<decltype(functor)>;
    constexpr std::size_t bytes = sizeof(typename Functor::State);
    kind.words = static_cast<int>(bytes / sizeof(T));
    kind.last_fixing_only = requires { Functor::last_fixing_only; };
  });
  return kind;
}

/// Whether all paths are those of one asset in a loop of gsim's own over several steps, without
/// conditional sampling.
template <class T>
bool is_one_asset(const PathTables<T>& tables) {
  const PathTable<T>& paths = tables.paths();
  if (!tables.keeps_image()) return false;
  if (paths.loop == PathLoop::one_asset) return true;
  return paths.loop == PathLoop::general && paths.assets == 1 &&
         tables.on_host(paths.asset)->rows.variance < 0;
}

}  // namespace

template <class T>
FusedBatches<T>::FusedBatches(Executor executor, const Simulation& simulation,
                              const PathTables<T>& tables)
    : tables_(&tables),
      is_one_asset_(is_one_asset(tables)),
      has_extremes_(tables.paths().loop == PathLoop::general),
      steps_(tables.paths().steps),
      words_per_path_(fused_words / tables.paths().paths_per_sample),
      memory_(std::move(executor), 0) {
  for (std::size_t k = 0; k < simulation.grid.record_of_step.size(); ++k)
    is_record_.push_back(simulation.grid.record_of_step[k] >= 0);
  if (is_one_asset_) group_steps_ = fused_steps(normals_per_step(tables.paths().scheme));
  step_of_record_.resize(static_cast<std::size_t>(simulation.grid.recorded_dates));
  for (std::size_t k = 0; k < simulation.grid.record_of_step.size(); ++k)
    if (const Index record = simulation.grid.record_of_step[k]; record >= 0)
      step_of_record_[static_cast<std::size_t>(record)] = static_cast<Index>(k);
}

template <class T>
std::vector<typename FusedBatches<T>::Slot> FusedBatches<T>::slots_of(std::int32_t trade) const {
  const TradeView<T>* const device = tables_->trades() + trade;
  const TradeView<T>& host = *tables_->on_host(device);
  std::vector<Slot> slots;
  const auto add = [&](const PayoffView<T>& view, const PayoffView<T>* terms, bool is_control) {
    const std::int32_t* const record = tables_->on_host(view.record);
    const bool ascends = std::adjacent_find(record, record + view.fixings, [](auto a, auto b) {
                           return a >= b;
                         }) == record + view.fixings;
    const bool is_simple = view.combination == Combination::single &&
                           (has_extremes_ || !view.continuous) && !view.conditional &&
                           view.formula != PayoffFormula::launched;
    slots.push_back({terms, view, is_control, ascends && is_simple ? state_of(view).words : 0});
  };
  add(host.payoff, &device->payoff, false);
  if (host.has_control) add(host.control, &device->control, true);
  return slots;
}

template <class T>
bool FusedBatches<T>::has_many_fixings(const std::vector<Slot>& slots) const {
  return std::any_of(slots.begin(), slots.end(), [&](const Slot& slot) {
    return !state_of(slot.view).last_fixing_only && 4 * slot.view.fixings >= steps_;
  });
}

template <class T>
typename FusedBatches<T>::Batch* FusedBatches<T>::batch_for(std::vector<Batch>& batches, int words,
                                                            bool many_fixings) const {
  if (words == 0 || words > words_per_path_) return nullptr;
  for (Batch& batch : batches)
    if (batch.words + words <= words_per_path_) return &batch;
  if (batches.size() >= most_batches || !(many_fixings || batches.empty())) return nullptr;
  return &batches.emplace_back();
}

template <class T>
void FusedBatches<T>::choose(std::span<const std::int32_t> active) {
  std::vector<Batch> batches;
  std::vector<std::int32_t> others;
  for (const bool many : {true, false}) {
    for (const std::int32_t trade : active) {
      const std::vector<Slot> slots = is_one_asset_ ? slots_of(trade) : std::vector<Slot>{};
      const bool can_be_fused =
          !slots.empty() &&
          std::all_of(slots.begin(), slots.end(), [](const Slot& s) { return s.words > 0; });
      if (has_many_fixings(slots) != many) continue;
      int words = 0;
      for (const Slot& slot : slots) words += slot.words;
      Batch* const batch = batch_for(batches, can_be_fused ? words : 0, many);
      if (batch == nullptr) {
        others.push_back(trade);
        continue;
      }
      batch->trades.push_back(trade);
      batch->words += words;
    }
  }
  std::sort(others.begin(), others.end());
  order_.clear();
  for (const Batch& batch : batches)
    order_.insert(order_.end(), batch.trades.begin(), batch.trades.end());
  trades_ = static_cast<Index>(order_.size());
  order_.insert(order_.end(), others.begin(), others.end());
  const auto pack_all = [&](std::byte* base) {
    TablePacker packer(base);
    batches_.clear();
    for (const Batch& batch : batches) batches_.push_back(pack(packer, batch));
    return packer;
  };
  memory_.resize_discard(static_cast<Index>(pack_all(nullptr).image().size()));
  memory_.assign(pack_all(memory_.view().data).image());
}

template <class T>
FusedBatch<T> FusedBatches<T>::pack(TablePacker& packer, const Batch& batch) const {
  const Index groups = (steps_ + group_steps_ - 1) / group_steps_;
  std::vector<FusedSlot<T>> table;
  std::vector<FusedGroup> group_table(static_cast<std::size_t>(groups));
  std::vector<std::vector<FusedFixings<T>>> of_group(static_cast<std::size_t>(groups));
  std::int32_t word = 0;
  for (std::size_t t = 0; t < batch.trades.size(); ++t) {
    for (const Slot& slot : slots_of(batch.trades[t])) {
      table.push_back(
          {slot.terms, slot.view.formula, word, static_cast<std::int32_t>(t), slot.is_control});
      const std::int32_t* const record = tables_->on_host(slot.view.record);
      const std::int32_t first = state_of(slot.view).last_fixing_only ? slot.view.fixings - 1 : 0;
      for (std::int32_t i = first; i < slot.view.fixings; ++i) {
        const Index step = step_of_record_[static_cast<std::size_t>(record[i])];
        const auto g = static_cast<std::size_t>(step / group_steps_);
        auto& list = of_group[g];
        if (list.empty() || list.back().terms != slot.terms)
          list.push_back({slot.terms, i, static_cast<std::int16_t>(word),
                          static_cast<std::int8_t>(slot.view.formula), 0});
        const auto bit = static_cast<std::uint8_t>(1 << step % group_steps_);
        list.back().steps |= bit;
        group_table[g].steps |= bit;
      }
      word += slot.words;
    }
  }
  std::vector<FusedFixings<T>> fixings;
  for (std::size_t k = 0; k < is_record_.size(); ++k)
    if (is_record_[k])
      group_table[k / static_cast<std::size_t>(group_steps_)].records |=
          1u << (static_cast<Index>(k) % group_steps_);
  for (std::size_t g = 0; g < of_group.size(); ++g) {
    group_table[g].first = static_cast<std::int32_t>(fixings.size());
    fixings.insert(fixings.end(), of_group[g].begin(), of_group[g].end());
    group_table[g].last = static_cast<std::int32_t>(fixings.size());
  }
  FusedBatch<T> packed{};
  packed.trades = static_cast<Index>(batch.trades.size());
  packed.slots = static_cast<std::int32_t>(table.size());
  packed.groups = static_cast<std::int32_t>(groups);
  packed.slot = packer.add(table);
  packed.group = packer.add(group_table);
  packed.fixings = packer.add(fixings);
  return packed;
}

template <class T>
Index FusedBatches<T>::largest() const {
  Index largest = 0;
  for (const FusedBatch<T>& batch : batches_) largest = std::max(largest, batch.trades);
  return largest;
}

template class FusedBatches<double>;
template class FusedBatches<float>;

}  // namespace gsim::pricing
