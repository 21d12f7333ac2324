#pragma once
// A table that grows during a run: a row of numbers every so many steps, with names, units, and
// averages with standard errors. It is declared once and appended to in one place; checkpoints,
// results, estimates, the digest and the table for the terminal are one call each.
//
//   SeriesTable table("thermo", {{.name = "temperature", .unit = "K", .is_averaged = true}}, keys);
//   if (table.is_due(step)) table.append(step, {temperature()});

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/engine/blocking.hpp"
#include "gsim/engine/estimate.hpp"
#include "gsim/engine/module.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// A column of a SeriesTable.
struct SeriesColumn {
  std::string name;              ///< of the dataset, "kinetic_energy"; the terminal shows blanks
  std::string unit = {};         ///< empty: none
  std::string description = {};  ///< one line for the result file
  /// Whether its mean over the rows is an estimate, with an error for correlated values
  /// (engine/blocking.hpp).
  bool is_averaged = false;
  int digits = 8;  ///< significant digits on the terminal
};

/// The steps at which rows are added, and their keys.
struct SeriesKeys {
  Index every = 100;  ///< steps between rows; 0: no rows
  Index from = 0;     ///< averages begin at this step

  /// The keys `every` and `from`.
  void describe(Section& s);
  /// The key `every` alone, at least 1: for tables without averages.
  void describe_every(Section& s);
};

/// Rows are the same on every rank: append() is called on all ranks with the same numbers. Steps
/// may be any ascending count, such as sweeps or generations.
class SeriesTable {
 public:
  /// Datasets are `group`/step and `group`/NAME. Error for columns without a name or with the same
  /// one, or called "step" or "values".
  SeriesTable(std::string group, std::vector<SeriesColumn> columns, const SeriesKeys& keys = {});

  const std::vector<SeriesColumn>& columns() const { return columns_; }
  const SeriesKeys& keys() const { return keys_; }
  /// Whether the table has a row at this step.
  bool is_due(Index step) const { return keys_.every > 0 && step % keys_.every == 0; }
  /// The first step from `step` on that has a row; the largest Index where there is none.
  Index next(Index step) const;

  /// Appends a row with one number for each column. Error for another number of values, or a step
  /// that is not after that of the last row.
  void append(Index step, std::span<const double> row);
  void append(Index step, std::initializer_list<double> row) {
    append(step, std::span<const double>(row.begin(), row.size()));
  }
  /// Adds a row for the end of the run, unless the last row has that step. It is written to the
  /// results, but not part of averages and of save(): the next append() replaces it, and a resumed
  /// run does not have it.
  void append_end(Index step, std::span<const double> row);

  Index rows() const { return static_cast<Index>(steps_.size()); }
  Index step(Index row) const { return steps_[static_cast<std::size_t>(row)]; }
  double value(Index row, std::size_t column) const {
    return values_[static_cast<std::size_t>(row) * columns_.size() + column];
  }
  /// The values of a column by its name, one for each row; and its last value. Error for an unknown
  /// name, and where there are no rows.
  std::vector<double> column(std::string_view name) const;
  double last(std::string_view name) const;

  /// The mean of a column from step keys().from on, with its standard error, whether or not the
  /// column is averaged.
  BlockedMean mean(std::string_view name) const;
  /// The estimates of the averaged columns, in their order, with their names and units.
  std::vector<Estimate> estimates() const;

  void save(DatasetWriter& writer) const;
  /// IoError where the checkpoint holds other columns.
  void restore(DatasetReader& reader);
  /// `group`/step and a dataset for each column, with the attributes "unit" and "description"; and
  /// the estimates in the table `group`_averages: quantity, mean, standard_error, unit. Nothing
  /// where keys().every is 0.
  void write_results(DatasetWriter& writer) const;
  /// The last `max_rows` rows, and below them the means of averaged columns.
  ReportTable report(Index max_rows = 12) const;
  /// Digest of all rows.
  std::uint64_t digest() const;

 private:
  void check_row(Index step, std::span<const double> row);
  /// Adds a row, without averaging it.
  void put(Index step, std::span<const double> row);
  /// Adds a row to the averages, unless it is before keys_.from.
  void average(Index row);
  /// Removes the row of append_end().
  void drop_end();
  std::size_t find(std::string_view name) const;

  std::string group_;
  std::vector<SeriesColumn> columns_;
  SeriesKeys keys_;
  std::vector<Index> steps_;
  std::vector<double> values_;  // row after row
  Blocking averages_;           // of the columns, from keys_.from on
  bool has_end_ = false;        // the last row is that of append_end()
};

}  // namespace gsim
