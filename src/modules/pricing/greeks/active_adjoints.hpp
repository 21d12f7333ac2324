#pragma once
// The adjoint Greeks that a job computes.

#include <algorithm>
#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/pricing/greeks/sweep_tables.hpp"

namespace gsim::pricing {

/// Tables of the active adjoint Greeks, in executor memory.
class ActiveAdjoints {
 public:
  ActiveAdjoints(const Executor& executor, const std::vector<PlannedAdjoint>& planned,
                 const SweepRows& rows)
      : planned_(planned),
        tables_(executor, planned, rows),
        entry_memory_(executor, 0),
        row_memory_(executor, 0),
        term_memory_(executor, 0),
        entry_of_row_memory_(executor, 0),
        exercised_memory_(executor, 0) {}

  /// Selects the Greeks with a non-zero flag, and marks their trades among those of the base
  /// simulation, of which `launched` are those with launchers.
  void select(const Executor& executor, const std::vector<Index>& base_trades,
              std::span<const std::uint8_t> active,
              const std::vector<LaunchedTrade<double>>& launched,
              std::vector<std::uint8_t>& is_base_active) {
    std::vector<ExercisedTarget<double>> exercised;
    entry_of_exercised_.clear();
    entries_.clear();
    rows_of_job_.clear();
    terms_.clear();
    entry_of_row_.clear();
    first_row_.assign(1, 0);
    first_sum_.assign(1, 0);
    scripts_.clear();
    greeks_.clear();
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      const PlannedAdjoint& adjoint = planned_[i];
      for (const PlannedAdjointRow& row : adjoint.rows)
        if (active[static_cast<std::size_t>(row.greek)] != 0) add_row(row);
      const auto rows = static_cast<std::int32_t>(rows_of_job_.size());
      if (rows == first_row_.back()) continue;
      const Index at = position_of(base_trades, adjoint.trade);
      is_base_active[static_cast<std::size_t>(at)] = 1;
      entries_.push_back(tables_.entries()[i]);
      entries_.back().base = static_cast<std::int32_t>(at);
      entries_.back().first_sum = first_sum_.back();
      if (adjoint.exercise) {
        const ExercisedSweep* const sweep = tables_.exercised() + entries_.back().exercised;
        entries_.back().exercised = static_cast<std::int32_t>(exercised.size());
        entry_of_exercised_.push_back(static_cast<std::int32_t>(entries_.size()) - 1);
        exercised.push_back({exercise_of(at, launched), sweep, first_sum_.back()});
      }
      first_row_.push_back(rows);
      first_sum_.push_back(first_sum_.back() + adjoint.sums);
      scripts_.push_back(adjoint.script);
    }
    row_memory_ = Array<AdjointRow>(executor, std::span<const AdjointRow>(rows_of_job_));
    term_memory_ = Array<AdjointTerm>(executor, std::span<const AdjointTerm>(terms_));
    entry_of_row_memory_ =
        Array<std::int32_t>(executor, std::span<const std::int32_t>(entry_of_row_));
    exercised_memory_ = Array<ExercisedTarget<double>>(
        executor, std::span<const ExercisedTarget<double>>(exercised));
  }
  /// Replaces positions among the trades of the base simulation by those among its active ones.
  void set_base(const Executor& executor, const std::vector<std::int32_t>& position) {
    for (AdjointEntry<double>& e : entries_) e.base = position[static_cast<std::size_t>(e.base)];
    entry_memory_ =
        Array<AdjointEntry<double>>(executor, std::span<const AdjointEntry<double>>(entries_));
  }

  /// The active Greeks, by row.
  const std::vector<Index>& greeks() const { return greeks_; }
  /// The largest number of sums of an entry.
  Index largest_entry() const {
    Index largest = 0;
    for (std::size_t e = 0; e + 1 < first_sum_.size(); ++e)
      largest = std::max(largest, first_sum_[e + 1] - first_sum_[e]);
    return largest;
  }
  /// The largest number of derivatives of a payoff on one path.
  Index largest_payoff() const { return tables_.largest_payoff(); }
  /// The largest sizes of scripted payoffs.
  ScriptSize largest_script() const {
    ScriptSize largest;
    for (const ScriptSize& s : scripts_)
      for (const auto member : {&ScriptSize::derivatives, &ScriptSize::steps, &ScriptSize::states,
                                &ScriptSize::registers, &ScriptSize::given})
        largest.*member = std::max(largest.*member, s.*member);
    return largest;
  }
  /// The table without first_result and sweep_exercised.
  AdjointTable<double> table() {
    AdjointTable<double> t{};
    t.entries = static_cast<Index>(entries_.size());
    t.rows = static_cast<Index>(rows_of_job_.size());
    t.sums = first_sum_.back();
    t.entry = entry_memory_.view().data;
    t.row = row_memory_.view().data;
    t.term = term_memory_.view().data;
    t.entry_of_row = entry_of_row_memory_.view().data;
    t.first_row = first_row_.data();
    t.first_sum = first_sum_.data();
    t.script = scripts_.data();
    t.exercised = exercised_memory_.view().data;
    t.entry_of_exercised = entry_of_exercised_.data();
    t.exercised_targets = static_cast<Index>(entry_of_exercised_.size());
    return t;
  }
  double bytes() const {
    return tables_.bytes() + static_cast<double>(terms_.size()) * double{sizeof(AdjointTerm)};
  }

 private:
  /// The table of the early exercise of trade `at` of the base simulation.
  static const ExerciseTable<double>* exercise_of(
      Index at, const std::vector<LaunchedTrade<double>>& launched) {
    for (const LaunchedTrade<double>& l : launched)
      if (l.position == at) return l.exercise_job.table;
    return nullptr;
  }

  void add_row(const PlannedAdjointRow& row) {
    AdjointRow r{static_cast<std::int32_t>(terms_.size()), 0, 0};
    terms_.insert(terms_.end(), row.payoff.begin(), row.payoff.end());
    r.first_of_control = static_cast<std::int32_t>(terms_.size());
    terms_.insert(terms_.end(), row.control.begin(), row.control.end());
    r.last = static_cast<std::int32_t>(terms_.size());
    rows_of_job_.push_back(r);
    greeks_.push_back(row.greek);
    entry_of_row_.push_back(static_cast<std::int32_t>(entries_.size()));
  }

  std::vector<PlannedAdjoint> planned_;
  SweepTables tables_;
  std::vector<AdjointEntry<double>> entries_;
  std::vector<AdjointRow> rows_of_job_;
  std::vector<AdjointTerm> terms_;
  std::vector<std::int32_t> entry_of_row_, first_row_{0};
  std::vector<Index> first_sum_{0};
  std::vector<ScriptSize> scripts_;
  std::vector<Index> greeks_;
  Array<AdjointEntry<double>> entry_memory_;
  Array<AdjointRow> row_memory_;
  Array<AdjointTerm> term_memory_;
  Array<std::int32_t> entry_of_row_memory_;
  std::vector<std::int32_t> entry_of_exercised_;
  Array<ExercisedTarget<double>> exercised_memory_;
};

}  // namespace gsim::pricing
