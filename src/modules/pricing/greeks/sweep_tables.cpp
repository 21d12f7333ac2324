#include "src/modules/pricing/greeks/sweep_tables.hpp"

namespace gsim::pricing {
namespace {

struct Column {
  std::int32_t row = 0;
  bool is_tangent = false;
  std::vector<std::int32_t> sums;  ///< [dates]
};
/// A sweep before its lists have addresses.
struct Sweep {
  AdjointSweep<double> table{};
  std::vector<AdjointDate> dates;
  std::vector<double> profile;
  std::vector<std::int32_t> sums, further;
  std::vector<Column> columns;

  bool is_empty() const {
    const auto has_any = [](const std::vector<std::int32_t>& list) {
      return std::any_of(list.begin(), list.end(), [](std::int32_t s) { return s >= 0; });
    };
    return !has_any(sums) && !has_any(further) && columns.empty() && table.total < 0 &&
           table.weight < 0 && table.scale < 0 && table.start < 0 && table.value < 0 &&
           table.paid < 0 && table.claims < 0;
  }
};

/// The first one of several sums if any of them is needed, else -1.
std::int32_t first_needed(const std::vector<bool>& is_needed, int first, Index count) {
  if (first < 0) return -1;
  const auto begin = is_needed.begin() + first;
  return std::find(begin, begin + count, true) == begin + count ? -1 : first;
}

bool is_equal(const AdjointDate& a, const AdjointDate& b) {
  return a.fixing == b.fixing && a.record == b.record && a.last_record == b.last_record;
}

/// Makes the sweeps of one payoff.
class SweepMaker {
 public:
  SweepMaker(const SweepRows& rows, const std::vector<bool>& is_needed)
      : rows_(rows), is_needed_(is_needed) {}

  std::vector<Sweep> make(const std::vector<PlannedSweep>& planned) {
    for (const PlannedSweep& p : planned) add(p);
    sweeps_.erase(
        std::remove_if(sweeps_.begin(), sweeps_.end(), [](const Sweep& s) { return s.is_empty(); }),
        sweeps_.end());
    return std::move(sweeps_);
  }

 private:
  void add(const PlannedSweep& p) {
    const std::vector<AdjointDate> dates = dates_of(p);
    const bool is_own = p.total >= 0;
    Sweep* sweep = is_own ? nullptr : find(p, dates);
    if (sweep == nullptr) {
      sweep = &sweeps_.emplace_back();
      sweep->dates = dates;
      sweep->profile.assign(dates.size(), 0.0);
      sweep->sums.assign(dates.size(), no_segment);
      sweep->further.assign(dates.size(), no_segment);
      sweep->table.position = static_cast<std::int32_t>(p.position);
      sweep->table.total = sweep->table.weight = sweep->table.scale = -1;
      sweep->table.start = sweep->table.value = sweep->table.paid = sweep->table.claims = -1;
    }
    if (is_own) add_own_sums(p, *sweep);
    if (p.reads_logs) add_column(p, *sweep);
  }

  /// A sweep over the same asset whose dates serve those of `p`.
  Sweep* find(const PlannedSweep& p, const std::vector<AdjointDate>& dates) {
    for (Sweep& s : sweeps_) {
      if (s.table.position != p.position) continue;
      if (p.tangent
              ? has_fixings(s.dates, dates)
              : std::equal(s.dates.begin(), s.dates.end(), dates.begin(), dates.end(), is_equal))
        return &s;
    }
    return nullptr;
  }

  /// Whether the dates with a fixing among `all` are `fixings`.
  static bool has_fixings(const std::vector<AdjointDate>& all,
                          const std::vector<AdjointDate>& fixings) {
    auto next = fixings.begin();
    for (const AdjointDate& d : all) {
      if (d.fixing < 0) continue;
      if (next == fixings.end() || next->fixing != d.fixing || next->record != d.record)
        return false;
      ++next;
    }
    return next == fixings.end();
  }

  std::vector<AdjointDate> dates_of(const PlannedSweep& p) const {
    std::vector<AdjointDate> dates;
    const auto row = [&](Index record) {
      return static_cast<std::int32_t>(record < 0 ? -1 : record * rows_.count);
    };
    for (const PlannedDate& d : p.dates)
      dates.push_back({static_cast<std::int32_t>(d.fixing), row(d.record), row(d.last_record)});
    return dates;
  }

  bool is_needed(int sum) const { return is_needed_[static_cast<std::size_t>(sum)]; }
  std::int32_t needed_or(int sum, std::int32_t otherwise) const {
    return sum >= 0 && is_needed(sum) ? sum : otherwise;
  }

  void add_own_sums(const PlannedSweep& p, Sweep& sweep) const {
    for (std::size_t j = 0; j < p.dates.size(); ++j) {
      sweep.profile[j] = p.dates[j].profile;
      if (p.dates[j].sum >= 0) sweep.sums[j] = needed_or(p.dates[j].profile_sum, no_sum);
      if (p.dates[j].further >= 0) sweep.further[j] = needed_or(p.dates[j].further, no_sum);
    }
    sweep.table.total = needed_or(p.total, -1);
    sweep.table.weight = needed_or(p.weight, -1);
    sweep.table.scale = needed_or(p.scale, -1);
    sweep.table.start = needed_or(p.start, -1);
    sweep.table.value = needed_or(p.value, -1);
    sweep.table.paid = p.paid;
    sweep.table.claims = first_needed(is_needed_, p.claims, p.claim_count);
  }

  void add_column(const PlannedSweep& p, Sweep& sweep) const {
    Column column;
    column.is_tangent = p.tangent.has_value();
    column.row = column.is_tangent ? rows_.tangents[*p.tangent]
                                   : rows_.logs[static_cast<std::size_t>(p.asset)];
    bool has_sum = false;
    const auto needed = [&](int sum) {
      has_sum = has_sum || is_needed(sum);
      return needed_or(sum, no_sum);
    };
    if (column.is_tangent) {  // its only sum is that of all dates
      column.sums.assign(sweep.dates.size(), no_segment);
      column.sums.back() = needed(p.dates.back().sum);
    } else {
      for (const PlannedDate& d : p.dates)
        column.sums.push_back(d.sum < 0 ? no_segment : needed(d.sum));
    }
    if (has_sum) sweep.columns.push_back(std::move(column));
  }

  const SweepRows& rows_;
  const std::vector<bool>& is_needed_;
  std::vector<Sweep> sweeps_;
};

/// The sums of which some Greek of a trade has a term.
std::vector<bool> needed_sums(const PlannedAdjoint& adjoint) {
  std::vector<bool> needed(static_cast<std::size_t>(adjoint.sums));
  for (const PlannedAdjointRow& row : adjoint.rows)
    for (const auto* terms : {&row.payoff, &row.control})
      for (const AdjointTerm& t : *terms) needed[static_cast<std::size_t>(t.sum)] = true;
  return needed;
}

/// Copies a list to executor memory and returns its address there.
template <class V>
const V* store(const Executor& executor, const std::vector<V>& list, Array<V>& memory) {
  memory = Array<V>(executor, std::span<const V>(list));
  return memory.view().data;
}

}  // namespace

SweepTables::SweepTables(const Executor& executor, const std::vector<PlannedAdjoint>& planned,
                         const SweepRows& rows)
    : dates_(executor, 0),
      profiles_(executor, 0),
      numbers_(executor, 0),
      sums_(executor, 0),
      columns_(executor, 0),
      sweeps_(executor, 0),
      exercised_lists_(executor, 0),
      exercised_columns_(executor, 0),
      exercised_sweeps_(executor, 0) {
  std::vector<Sweep> all;
  for (const PlannedAdjoint& a : planned) {
    const std::vector<bool> needed = needed_sums(a);
    std::int32_t count[2] = {};
    for (const int part : {0, 1}) {
      std::vector<Sweep> sweeps = SweepMaker(rows, needed).make(part == 0 ? a.payoff : a.control);
      count[part] = static_cast<std::int32_t>(sweeps.size());
      std::move(sweeps.begin(), sweeps.end(), std::back_inserter(all));
    }
    entries_.push_back({0, a.sums, a.payoff_sum, a.control_sum, 0, a.swept, nullptr, count[0],
                        count[1], nullptr, nullptr, a.script, -1});
  }
  store_exercised(executor, planned, rows);
  store_numbers(executor, planned);
  std::vector<AdjointDate> dates;
  std::vector<double> profiles;
  std::vector<std::int32_t> sums;
  const auto append = [](const auto& list, auto& to) {
    to.insert(to.end(), list.begin(), list.end());
  };
  for (const Sweep& s : all) {
    append(s.dates, dates);
    append(s.profile, profiles);
    append(s.sums, sums);
    append(s.further, sums);
    for (const Column& c : s.columns) append(c.sums, sums);
  }
  const AdjointDate* date = store(executor, dates, dates_);
  const double* profile = store(executor, profiles, profiles_);
  const std::int32_t* sum = store(executor, sums, sums_);
  std::vector<AdjointColumn> columns;
  for (Sweep& s : all) {
    const auto n = s.dates.size();
    s.table.dates = static_cast<Index>(n);
    s.table.date = date;
    s.table.profile = profile;
    s.table.sum = sum;
    s.table.further = sum + n;
    date += n, profile += n, sum += 2 * n;
    for (const Column& c : s.columns) {
      columns.push_back({c.row, c.is_tangent, sum});
      (c.is_tangent ? s.table.has_tangents : s.table.has_changes) = true;
      sum += n;
    }
    s.table.columns = static_cast<std::int32_t>(s.columns.size());
  }
  const AdjointColumn* column = store(executor, columns, columns_);
  std::vector<AdjointSweep<double>> sweeps;
  for (Sweep& s : all) {
    s.table.column = column;
    column += s.columns.size();
    sweeps.push_back(s.table);
  }
  const AdjointSweep<double>* sweep = store(executor, sweeps, sweeps_);
  std::size_t next = 0;
  const auto take = [&](std::int32_t count) {
    Index derivatives = 0;
    for (std::int32_t i = 0; i < count; ++i, ++next)
      derivatives += sweeps[next].arrays() * sweeps[next].dates;
    largest_payoff_ = std::max(largest_payoff_, derivatives);
    const AdjointSweep<double>* const first = sweep;
    sweep += count;
    return first;
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i].payoff = take(entries_[i].payoff_sweeps);
    const AdjointSweep<double>* const control = take(entries_[i].control_sweeps);
    entries_[i].control = planned[i].control.empty() ? nullptr : control;
  }
}

void SweepTables::store_exercised(const Executor& executor,
                                  const std::vector<PlannedAdjoint>& planned,
                                  const SweepRows& rows) {
  std::vector<std::int32_t> lists;  // slots, first sums of claims, and records of columns
  std::vector<ExercisedColumn> columns;
  std::vector<ExercisedSweep> sweeps;
  std::vector<std::size_t> list_of_column, first_list;
  std::vector<bool> has_claims_of;
  for (const PlannedAdjoint& a : planned) {
    if (!a.exercise) continue;
    const PlannedExercise& p = *a.exercise;
    const std::vector<bool> needed = needed_sums(a);
    const auto first = [&](int sum, Index count) { return first_needed(needed, sum, count); };
    const auto slots = static_cast<Index>(p.records.size());
    ExercisedSweep sweep{};
    sweep.slots = static_cast<std::int32_t>(slots);
    sweep.value = first(p.value, p.dates);
    sweep.spot = first(p.spot, p.assets * slots);
    sweep.control_value = first(p.control_value, p.assets);
    sweep.control_spot = first(p.control_spot, p.assets * p.dates);
    sweep.control_sd = first(p.control_sd, p.assets * p.dates);
    std::vector<std::int32_t> slot(static_cast<std::size_t>(p.records.back()) + 1, -1);
    for (std::size_t r = 0; r < p.records.size(); ++r)
      slot[static_cast<std::size_t>(p.records[r])] = static_cast<std::int32_t>(r);
    first_list.push_back(lists.size());
    lists.insert(lists.end(), slot.begin(), slot.end());
    const bool has_claims = !p.claims.empty() && first(p.claims.front(), p.claim_count) >= 0;
    if (has_claims) lists.insert(lists.end(), p.claims.begin(), p.claims.end());
    for (const PlannedExercisedColumn& c : p.columns) {
      const auto segments = static_cast<Index>(c.last.size());
      const std::int32_t row =
          c.tangent ? rows.tangents[*c.tangent] : rows.logs[static_cast<std::size_t>(c.asset)];
      columns.push_back({static_cast<std::int32_t>(c.position), row, c.tangent.has_value(),
                         static_cast<std::int32_t>(segments), nullptr, first(c.sum, segments),
                         first(c.control_sum, segments)});
      list_of_column.push_back(lists.size());
      lists.insert(lists.end(), c.last.begin(), c.last.end());
    }
    sweep.columns = static_cast<std::int32_t>(p.columns.size());
    has_claims_of.push_back(has_claims);
    sweeps.push_back(sweep);
  }
  const std::int32_t* const list = store(executor, lists, exercised_lists_);
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c].last = list + list_of_column[c];
  const ExercisedColumn* column = store(executor, columns, exercised_columns_);
  std::size_t i = 0;
  for (std::size_t a = 0; a < planned.size(); ++a) {
    if (!planned[a].exercise) continue;
    ExercisedSweep& sweep = sweeps[i];
    sweep.slot = list + first_list[i];
    sweep.claim = has_claims_of[i] ? sweep.slot + planned[a].exercise->records.back() + 1 : nullptr;
    sweep.column = column;
    column += sweep.columns;
    entries_[a].exercised = static_cast<std::int32_t>(i++);
  }
  store(executor, sweeps, exercised_sweeps_);
}

void SweepTables::store_numbers(const Executor& executor,
                                const std::vector<PlannedAdjoint>& planned) {
  std::vector<double> numbers;
  for (const PlannedAdjoint& a : planned)
    numbers.insert(numbers.end(), a.numbers.begin(), a.numbers.end());
  const double* number = store(executor, numbers, numbers_);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    entries_[i].number = number;
    number += planned[i].numbers.size();
  }
}

double SweepTables::bytes() const {
  return static_cast<double>(dates_.size()) *
             (double{sizeof(AdjointDate)} + double{sizeof(double)}) +
         static_cast<double>(numbers_.size()) * double{sizeof(double)} +
         static_cast<double>(sums_.size()) * double{sizeof(std::int32_t)} +
         static_cast<double>(columns_.size()) * double{sizeof(AdjointColumn)} +
         static_cast<double>(exercised_lists_.size()) * double{sizeof(std::int32_t)} +
         static_cast<double>(exercised_columns_.size()) * double{sizeof(ExercisedColumn)} +
         static_cast<double>(exercised_sweeps_.size()) * double{sizeof(ExercisedSweep)} +
         static_cast<double>(sweeps_.size()) * double{sizeof(AdjointSweep<double>)};
}

}  // namespace gsim::pricing
