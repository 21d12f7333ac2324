#pragma once
// The adjoint Greeks that a job computes.

#include <algorithm>
#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/pricing/greeks/greek_simulations.hpp"

namespace gsim::pricing {

/// Tables of the active adjoint Greeks, in executor memory.
class ActiveAdjoints {
 public:
  /// `log_rows` are the rows of the logarithms of the assets' spots, `tangent_rows` those of the
  /// tangents, of `rows` in each record.
  ActiveAdjoints(const Executor& executor, const std::vector<PlannedAdjoint>& planned,
                 std::vector<std::int32_t> log_rows, std::vector<std::int32_t> tangent_rows,
                 Index rows)
      : planned_(planned),
        log_rows_(std::move(log_rows)),
        tangent_rows_(std::move(tangent_rows)),
        rows_(rows),
        dates_(executor, 0),
        sweeps_(executor, 0),
        entry_memory_(executor, 0),
        row_memory_(executor, 0),
        term_memory_(executor, 0),
        entry_of_row_memory_(executor, 0) {
    store_sweeps(executor);
  }

  /// Selects the Greeks with a non-zero flag, and marks their trades among those of the base
  /// simulation.
  void select(const Executor& executor, const std::vector<Index>& base_trades,
              std::span<const std::uint8_t> active, std::vector<std::uint8_t>& is_base_active) {
    entries_.clear();
    rows_of_job_.clear();
    terms_.clear();
    entry_of_row_.clear();
    first_row_.assign(1, 0);
    first_sum_.assign(1, 0);
    greeks_.clear();
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      const PlannedAdjoint& adjoint = planned_[i];
      for (const PlannedAdjointRow& row : adjoint.rows)
        if (active[static_cast<std::size_t>(row.greek)] != 0) add_row(row);
      const auto rows = static_cast<std::int32_t>(rows_of_job_.size());
      if (rows == first_row_.back()) continue;
      const Index at = position_of(base_trades, adjoint.trade);
      is_base_active[static_cast<std::size_t>(at)] = 1;
      entries_.push_back(entry_of_[i]);
      entries_.back().base = static_cast<std::int32_t>(at);
      entries_.back().first_sum = first_sum_.back();
      first_row_.push_back(rows);
      first_sum_.push_back(first_sum_.back() + adjoint.sums);
    }
    row_memory_ = Array<AdjointRow>(executor, std::span<const AdjointRow>(rows_of_job_));
    term_memory_ = Array<AdjointTerm>(executor, std::span<const AdjointTerm>(terms_));
    entry_of_row_memory_ =
        Array<std::int32_t>(executor, std::span<const std::int32_t>(entry_of_row_));
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
  /// The table without first_result.
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
    return t;
  }
  double bytes() const {
    return static_cast<double>(dates_.size()) * double{sizeof(AdjointDate<double>)} +
           static_cast<double>(terms_.size()) * double{sizeof(AdjointTerm)};
  }

 private:
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

  /// The row of the values that a sweep reads at a record.
  std::int32_t row(const PlannedSweep& s, Index record) const {
    const std::int32_t of_record =
        s.tangent ? tangent_rows_[*s.tangent] : log_rows_[static_cast<std::size_t>(s.asset)];
    return record < 0 ? -1 : static_cast<std::int32_t>(record * rows_ + of_record);
  }

  /// Copies the dates of all sweeps to the executor's memory.
  void store_sweeps(const Executor& executor) {
    std::vector<AdjointDate<double>> dates;
    for_each_sweep([&](const PlannedSweep& s) {
      for (const PlannedDate& d : s.dates)
        dates.push_back({static_cast<std::int32_t>(d.fixing), s.reads_logs ? row(s, d.record) : -1,
                         row(s, d.last_record), d.sum, d.profile});
    });
    dates_ = Array<AdjointDate<double>>(executor, std::span<const AdjointDate<double>>(dates));
    const AdjointDate<double>* date = dates_.view().data;
    std::vector<AdjointSweep<double>> sweeps;
    for_each_sweep([&](const PlannedSweep& s) {
      sweeps.push_back({static_cast<Index>(s.dates.size()), date,
                        static_cast<std::int32_t>(s.position), s.tangent.has_value(), s.total,
                        s.weight, s.scale});
      date += s.dates.size();
    });
    sweeps_ = Array<AdjointSweep<double>>(executor, std::span<const AdjointSweep<double>>(sweeps));
    const AdjointSweep<double>* sweep = sweeps_.view().data;
    for (const PlannedAdjoint& a : planned_) {
      const AdjointSweep<double>* const control = sweep + a.payoff.size();
      entry_of_.push_back({0, a.sums, a.payoff_sum, a.control_sum, 0,
                           static_cast<std::int32_t>(a.payoff.size()),
                           static_cast<std::int32_t>(a.control.size()), sweep,
                           a.control.empty() ? nullptr : control});
      sweep = control + a.control.size();
    }
  }
  template <class Use>
  void for_each_sweep(const Use& use) const {
    for (const PlannedAdjoint& a : planned_)
      for (const auto* sweeps : {&a.payoff, &a.control})
        for (const PlannedSweep& s : *sweeps) use(s);
  }

  std::vector<PlannedAdjoint> planned_;
  std::vector<std::int32_t> log_rows_, tangent_rows_;  ///< by asset, and by tangent
  Index rows_;
  std::vector<AdjointEntry<double>> entry_of_;  ///< of each planned trade
  std::vector<AdjointEntry<double>> entries_;
  std::vector<AdjointRow> rows_of_job_;
  std::vector<AdjointTerm> terms_;
  std::vector<std::int32_t> entry_of_row_, first_row_{0};
  std::vector<Index> first_sum_{0};
  std::vector<Index> greeks_;
  Array<AdjointDate<double>> dates_;
  Array<AdjointSweep<double>> sweeps_;
  Array<AdjointEntry<double>> entry_memory_;
  Array<AdjointRow> row_memory_;
  Array<AdjointTerm> term_memory_;
  Array<std::int32_t> entry_of_row_memory_;
};

}  // namespace gsim::pricing
