#pragma once
// The base class of the mean-square displacement and the velocity autocorrelation: averages over
// atoms and time origins of a quantity that depends on the current state of an atom and on its
// state at a time origin. A slot holds one time origin and the window of lags that follows it
// (time_origins.hpp).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/exact_sum.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/correlations/time_origins.hpp"
#include "src/modules/md/sampling/type_groups.hpp"

namespace gsim::md {

class TimeCorrelation : public Observer {
 public:
  Index next(Index step) const override { return steps_.next(step); }
  void observe(const Snapshot& snapshot) override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;

  const std::vector<TypeGroups::ReportedGroup>& reported_groups() const { return reported_groups_; }
  /// The time of `lag` samples of `level`.
  double time(Index level, Index lag) const {
    return static_cast<double>(lag * origins_.plan().stride(level) * steps_.every) *
           setup_.time_step;
  }

 protected:
  /// Exact sums over the atoms of each type, an array of rows x types x terms.
  struct Sums {
    std::size_t types, terms;
    std::vector<ExactSum> sums;

    Sums(std::size_t rows, std::size_t type_count, std::size_t term_count)
        : types(type_count), terms(term_count), sums(rows * type_count * term_count) {}
    std::span<ExactSum> row(std::size_t r) {
      return std::span(sums).subspan(r * types * terms, types * terms);
    }
    double value(std::size_t row, std::size_t type, std::size_t term) const {
      return sums[(row * types + type) * terms + term].value(sum_quantum);
    }
  };

  /// The size of Sums: `rows` rows that do not belong to a time origin, then one for each time
  /// origin; `terms` sums for each row and type.
  struct Layout {
    std::size_t rows = 0, terms = 0;
  };
  /// `types`: names of the atom types; empty: all. A window stores 3 values for each reported group
  /// and lag.
  TimeCorrelation(std::string name, const SampleSteps& steps, const OriginPlan& plan,
                  const std::vector<std::string>& types, Layout layout, const ObserverSetup& setup,
                  Particles& particles);

  /// Adds one column for each slot to the atoms; `column` is copied to it at the time origins of
  /// the slot.
  void copy_at_origins(std::string_view name, ColumnId column, ElementType type, int components);
  /// The copy of the index-th column stored by copy_at_origins() at the time origin of `slot`.
  ColumnId at_origin(std::size_t index, Index slot) const {
    return copied_[index].by_slot[static_cast<std::size_t>(slot)];
  }

  /// Adds this rank's atoms to the sums: rows [0, Layout::rows), then one row for each of
  /// `measured`.
  virtual void measure(const Snapshot& snapshot, std::span<const TimeOrigins::Visit> measured,
                       Sums& sums) = 0;
  /// Computes the values of one lag from row `row` of the sums and stores them in the slot's
  /// window.
  virtual void record(const TimeOrigins::Visit& visit, const Sums& sums, std::size_t row) = 0;
  /// Adds a complete window to the averages.
  virtual void complete(Index slot, Index level) = 0;
  /// Called when a window begins with this sample.
  virtual void begin_window(Index /*slot*/, const Sums& /*sums*/) {}
  virtual void save_averages(DatasetWriter& writer) const = 0;
  virtual void restore_averages(DatasetReader& reader) = 0;

  /// The values of one lag in the window: three for each reported group.
  std::span<double> window_row(Index slot, Index lag) {
    const std::size_t values = 3 * reported_groups_.size();
    return origins_.window(slot).subspan(static_cast<std::size_t>(lag) * values, values);
  }
  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  const ObserverSetup& setup() const { return setup_; }
  const Particles& particles() const { return particles_; }
  TimeOrigins& origins() { return origins_; }
  const TimeOrigins& origins() const { return origins_; }
  Index samples() const { return samples_; }

 private:
  struct CopiedColumn {
    ColumnId from;
    std::vector<ColumnId> by_slot;
  };

  std::string name_, path_;
  SampleSteps steps_;
  const ObserverSetup& setup_;
  Particles& particles_;
  Layout layout_;
  std::vector<TypeGroups::ReportedGroup> reported_groups_;
  TimeOrigins origins_;
  std::vector<CopiedColumn> copied_;
  Index samples_ = 0;
};

}  // namespace gsim::md
