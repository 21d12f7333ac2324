#pragma once
// The table of macroscopic numbers that a run writes at regular steps: temperature, energies by
// part, pressure tensor, box, and what the integrator adds (Motion::columns()).

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/modules/md/blocking.hpp"
#include "src/modules/md/observe/observer.hpp"

namespace gsim::md {

struct ThermoConfig {
  Index every = 100;  ///< steps between rows; 0: no table
  Index from = 0;     ///< averages begin at this step
};

void describe_thermo(Section& s, ThermoConfig& config);

class ThermoTable : public Observer {
 public:
  ThermoTable(const ThermoConfig& config, const ObserverSetup& setup);

  Index next(Index step) const override;
  bool needs_thermo() const override { return true; }
  void observe(const Snapshot& snapshot) override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  struct Column {
    std::string name, unit, description;
    bool is_averaged = false;
    bool is_of_motion = false;  ///< a state of the integrator, of which the last value counts
  };
  const std::vector<Column>& columns() const { return columns_; }
  /// Adds a row for the end of the run where the last row is not of that step. It stands in the
  /// results and is left out of averages and of save(): a run that is resumed goes on without it.
  void observe_end(const Snapshot& snapshot);
  Index rows() const { return static_cast<Index>(steps_.size()); }
  /// Value of column c in row r.
  double value(Index row, std::size_t column) const {
    return values_[static_cast<std::size_t>(row) * columns_.size() + column];
  }

 private:
  void add_row(const Thermo& thermo);
  void average(Index row);
  void drop_end();
  ThermoConfig config_;
  std::vector<Column> columns_;
  std::vector<std::int64_t> steps_;
  std::vector<double> values_;  ///< row after row
  Blocking averages_;           ///< of the columns, from config_.from on
  bool has_end_ = false;        ///< the last row is that of observe_end()
};

}  // namespace gsim::md
