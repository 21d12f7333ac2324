#include "src/modules/transport/tallies/statistics/group_totals.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/tallies/output/score_columns.hpp"

namespace gsim::transport {
namespace {

/// The number of values that ranks exchange at a time.
constexpr Index exchange_parts = Index{1} << 18;

}  // namespace

const TallyAxis* group_axis(const TallyModel& tally) {
  for (const TallyAxis& axis : tally.axes)
    if (axis.is_energy && axis.bins > 1) return &axis;
  return nullptr;
}

TallyModel without_groups(const TallyModel& tally) {
  TallyModel result = tally;
  const TallyAxis* const groups = group_axis(tally);
  if (groups == nullptr) return result;
  result.rows /= groups->bins;
  result.axes.erase(result.axes.begin() + (groups - tally.axes.data()));
  return result;
}

std::vector<GroupTotals::Total> GroupTotals::totals_of(const TallyPlan& plan) {
  std::vector<Total> totals;
  Index first = 0;
  for (const TallyModel& t : plan.tallies) {
    Total total;
    total.first = first;
    Index stride = t.rows;
    for (const TallyAxis& axis : t.axes) {
      stride /= axis.bins;
      if (&axis != group_axis(t)) continue;
      total.groups = axis.bins;
      total.stride = stride;
      total.rows = t.rows / axis.bins;
    }
    first += total.rows * t.columns();
    totals.push_back(total);
  }
  return totals;
}

Index GroupTotals::value_count(const TallyPlan& plan) {
  Index values = 0;
  for (const TallyModel& t : plan.tallies)
    if (const TallyAxis* axis = group_axis(t)) values += t.values() / axis->bins;
  return values;
}

GroupTotals::GroupTotals(const Communicator& communicator, const TallyPlan& plan,
                         Index planned_batches, bool correlated)
    : totals_(totals_of(plan)),
      values_(value_count(plan)),
      planned_batches_(planned_batches),
      correlated_(correlated),
      statistics_(0, planned_batches, correlated) {
  for (int r = 0; r < communicator.size(); ++r)
    rank_ranges_.push_back(partition({0, values_}, communicator.size(), r));
  mine_ = rank_ranges_[static_cast<std::size_t>(communicator.rank())];
  clear();
}

void GroupTotals::clear() {
  statistics_ = BatchStatistics(mine_.size(), planned_batches_, correlated_);
}

SumRange GroupTotals::add(const Communicator& communicator, const TallyPlan& plan, IndexRange mine,
                          std::span<const TallySum> sums, const ValueOf& value_of) {
  if (values_ == 0) return SumRange::within;
  std::vector<TallySum> total(static_cast<std::size_t>(mine_.size()));
  SumRange range = SumRange::within;
  std::vector<std::vector<Part>> outgoing(rank_ranges_.size());
  const auto send = [&] {
    for (const auto& from : communicator.exchange(std::move(outgoing)))
      for (const Part& p : from)
        range =
            combined(range, add_to(total[static_cast<std::size_t>(p.value - mine_.first)], p.sum));
    outgoing.assign(rank_ranges_.size(), {});
  };
  const auto max_exchanges =
      communicator.max((static_cast<Index>(sums.size()) + exchange_parts - 1) / exchange_parts);
  Index at = 0, exchanges = 0;
  for (std::size_t i = 0; i < plan.tallies.size(); ++i) {
    const TallyModel& t = plan.tallies[i];
    const Total& layout = totals_[i];
    const Index first = std::clamp(mine.first - t.first_row, Index{0}, t.rows);
    const Index last = std::clamp(mine.last - t.first_row, first, t.rows);
    for (Index row = first; row < last; ++row)
      for (Index s = 0; s < t.columns(); ++s, ++at) {
        if (at > 0 && at % exchange_parts == 0) {
          send();
          ++exchanges;
        }
        if (layout.rows == 0) continue;
        // The row without the index of its group.
        const Index total_row =
            row / (layout.groups * layout.stride) * layout.stride + row % layout.stride;
        const Index value = layout.first + s * layout.rows + total_row;
        const auto owner = std::partition_point(rank_ranges_.begin(), rank_ranges_.end(),
                                                [&](IndexRange r) { return r.last <= value; });
        outgoing[static_cast<std::size_t>(owner - rank_ranges_.begin())].push_back(
            {value, sums[static_cast<std::size_t>(at)]});
      }
  }
  for (; exchanges < max_exchanges; ++exchanges) send();
  std::vector<double> values(total.size());
  for (std::size_t i = 0; i < totals_.size(); ++i)
    for (std::size_t s = 0; s < plan.tallies[i].scores.size(); ++s) {
      const IndexRange rows = own_rows(i, s);
      const Index begin = totals_[i].first + static_cast<Index>(s) * totals_[i].rows - mine_.first;
      for (Index row = rows.first; row < rows.last; ++row) {
        const auto v = static_cast<std::size_t>(begin + row);
        values[v] = value_of(i, s, transport_kernels::integer_of(total[v]));
      }
    }
  statistics_.add(values);
  return range;
}

IndexRange GroupTotals::own_rows(std::size_t tally, std::size_t score) const {
  const Total& layout = totals_[tally];
  const Index first = layout.first + static_cast<Index>(score) * layout.rows;
  const Index from = std::clamp(mine_.first - first, Index{0}, layout.rows);
  return {from, std::clamp(mine_.last - first, from, layout.rows)};
}

std::vector<BatchMoments> GroupTotals::own_moments(std::size_t tally, std::size_t score) const {
  const IndexRange rows = own_rows(tally, score);
  const Index begin =
      totals_[tally].first + static_cast<Index>(score) * totals_[tally].rows - mine_.first;
  std::vector<BatchMoments> moments;
  for (Index row = rows.first; row < rows.last; ++row)
    moments.push_back(statistics_.widened_moments(begin + row));
  return moments;
}

GroupTotals::Column GroupTotals::column_at_root(const Communicator& communicator, std::size_t tally,
                                                std::size_t score) const {
  Column mine;
  for (const BatchMoments& m : own_moments(tally, score)) {
    mine.mean.push_back(m.mean);
    mine.standard_error.push_back(m.standard_error);
  }
  return {communicator.gather(std::span<const double>(mine.mean)),
          communicator.gather(std::span<const double>(mine.standard_error))};
}

void GroupTotals::write_scores(DatasetWriter& writer, const TallyModel& tally, std::size_t number,
                               const std::string& group) const {
  const Total& layout = totals_[number];
  for (std::size_t s = 0; s < tally.scores.size(); ++s) {
    const IndexRange rows = own_rows(number, s);
    const Index begin = layout.first + static_cast<Index>(s) * layout.rows - mine_.first;
    ScoreColumns columns;
    for (Index row = rows.first; row < rows.last; ++row) columns.add(statistics_, begin + row);
    columns.write(writer, group, std::string(tally.score_names[s]), tally.unit_names[s], rows,
                  layout.rows);
  }
}

void GroupTotals::save(DatasetWriter& writer, const std::string& group) const {
  if (values_ == 0) return;
  writer.write_rows(group + "/group_totals", statistics_.records(), mine_, values_,
                    statistics_.columns());
}

void GroupTotals::restore(DatasetReader& reader, const std::string& group, Index batches) {
  clear();
  if (values_ == 0) return;
  const std::string path = group + "/group_totals";
  const Index stored = reader.has(path) ? reader.shape(path).rows : 0;
  if (stored != values_)
    throw InputError(fmt::format(
        "the checkpoint contains {} sums of tallies over groups, and this run has {}; was it "
        "written by another version of gsim?",
        stored, values_));
  const Index columns = reader.shape(path).columns;
  statistics_.restore(reader.read_rows<double>(path, mine_), columns, batches);
}

}  // namespace gsim::transport
