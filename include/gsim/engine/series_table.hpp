#pragma once
// A table that grows during a run: a row of numbers every so many steps, with names, units, and
// averages that have standard errors. Declared once, appended to in one place; checkpoints,
// results, estimates, the digest and the terminal's table take one call each.
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
  std::string description = {};  ///< a line about it in the result file
  /// Whether its mean over the rows is an estimate, with an error for correlated values
  /// (engine/blocking.hpp).
  bool is_averaged = false;
  int digits = 8;  ///< significant digits on the terminal
};

/// When rows are due, and the keys that say so.
struct SeriesKeys {
  Index every = 100;  ///< steps between rows; 0: no rows
  Index from = 0;     ///< averages begin at this step

  /// The keys `every` and `from`.
  void describe(Section& s);
  /// The key `every` alone, at least 1: for tables without averages.
  void describe_every(Section& s);
};

/// The same on every rank: whoever appends does so on all ranks with the same numbers. Steps may be
/// any ascending count, such as sweeps or generations.
class SeriesTable {
 public:
  /// Datasets are `group`/step and `group`/NAME. Error for columns without a name or with the same
  /// one, or called "step" or "values".
  SeriesTable(std::string group, std::vector<SeriesColumn> columns, const SeriesKeys& keys = {});

  const std::vector<SeriesColumn>& columns() const { return columns_; }
  const SeriesKeys& keys() const { return keys_; }
  /// Whether a row of this step belongs into the table.
  bool is_due(Index step) const { return keys_.every > 0 && step % keys_.every == 0; }
  /// The first step from `step` on whose row is due; the largest Index where none ever is.
  Index next(Index step) const;

  /// One more row: a number for each column. Error for another number of them, or a step that does
  /// not come after the last row's.
  void append(Index step, std::span<const double> row);
  void append(Index step, std::initializer_list<double> row) {
    append(step, std::span<const double>(row.begin(), row.size()));
  }
  /// A row for the end of the run, unless the last row is of that step. It stands in the results
  /// and is left out of averages and of save(): the next append() replaces it, and a resumed
  /// run does not have it.
  void append_end(Index step, std::span<const double> row);

  Index rows() const { return static_cast<Index>(steps_.size()); }
  Index step(Index row) const { return steps_[static_cast<std::size_t>(row)]; }
  double value(Index row, std::size_t column) const {
    return values_[static_cast<std::size_t>(row) * columns_.size() + column];
  }
  /// A column by its name, a value a row; and its last value. Error for a name that there is not,
  /// and where there are no rows.
  std::vector<double> column(std::string_view name) const;
  double last(std::string_view name) const;

  /// The mean of a column from keys().from on, with its standard error; averaged or not.
  BlockedMean mean(std::string_view name) const;
  /// Of the columns that are averaged, in their order, by their names and units.
  std::vector<Estimate> estimates() const;

  void save(DatasetWriter& writer) const;
  /// IoError where the checkpoint holds other columns.
  void restore(DatasetReader& reader);
  /// `group`/step and a dataset for each column, with the attributes "unit" and "description".
  /// Nothing where keys().every is 0.
  void write_results(DatasetWriter& writer) const;
  /// The last `most` rows, and below them the means of averaged columns.
  ReportTable report(Index most = 12) const;
  /// Digest of all rows.
  std::uint64_t digest() const;

 private:
  void check_row(Index step, std::span<const double> row);
  void put(Index step, std::span<const double> row);
  void average(Index row);
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
