#pragma once
// The thermo table: thermodynamic quantities at regular steps (temperature, contributions to the
// energy, pressure tensor, box) and the columns of the integrator (Integrator::columns()).

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/series_table.hpp"
#include "src/modules/md/sampling/output_setup.hpp"

namespace gsim::md {

using ThermoConfig = SeriesKeys;

class ThermoTable : public Observer {
 public:
  ThermoTable(const ThermoConfig& config, const OutputSetup& setup);

  Index next(Index step) const override { return table_.next(step); }
  bool needs_thermo() const override { return true; }
  void observe(const Snapshot& snapshot) override;
  std::vector<Estimate> estimates() const override { return table_.estimates(); }
  void save(DatasetWriter& writer) const override { table_.save(writer); }
  void restore(DatasetReader& reader) override { table_.restore(reader); }
  void write_results(DatasetWriter& writer) const override { table_.write_results(writer); }
  std::uint64_t digest() const override { return table_.digest(); }

  const std::vector<SeriesColumn>& columns() const { return table_.columns(); }
  /// Whether column c is a variable of the integrator, for which the last value is reported instead
  /// of an average. These are the last columns.
  bool is_of_integrator(std::size_t c) const { return c >= first_of_integrator_; }
  /// Adds a row for the last step of the run unless it has one. Results include this row; averages
  /// and save() do not, so that a resumed run continues without it.
  void observe_end(const Snapshot& snapshot);
  Index rows() const { return table_.rows(); }
  /// The value of a column in a row.
  double value(Index row, std::size_t column) const { return table_.value(row, column); }

 private:
  SeriesTable table_;
  std::size_t first_of_integrator_;
};

}  // namespace gsim::md
