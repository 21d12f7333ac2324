#pragma once
// Compares two result files: bit by bit, and estimates in units of their standard errors.

#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// A value that differs between two files.
struct ValueDifference {
  /// The row, by the values of the key columns of its table ("SPX-C-100"), or by its number.
  std::string row;
  std::string first, second;  ///< the values; estimates with their errors: "7.73 ± 0.041"
  double z = 0;  ///< (second - first) / sqrt(first error² + second error²); 0 without errors
};

/// One dataset in two files. Rows of tables are matched by their key columns.
struct DatasetComparison {
  std::string path;          ///< "trades/price"
  bool is_estimate = false;  ///< has standard errors in both files
  /// Whether the values depend on those of an estimate of the same table, or on how many samples it
  /// has: standard errors, confidence intervals, numbers of samples, remarks. Columns before the
  /// first estimate and those with the terms of trades (strike, maturity), which come from the
  /// configuration, do not, apart from `samples`.
  bool is_secondary = false;
  Index values = 0;     ///< number of values that were compared
  Index different = 0;  ///< those with different bits
  ValueDifference first_difference;
  /// Of estimates: the values that have a standard error in either file, and those without one that
  /// differ. Errors up to 1e-11 of the value are rounding, and mean none; values without errors
  /// differ if they do by more than 1e-11 of the larger one.
  Index with_errors = 0;
  double chi_square = 0;    ///< sum of z²
  ValueDifference largest;  ///< that with the largest |z|; infinite where both errors are 0
  /// Of estimates: those with other bits whose error is unknown (not a number) in either file.
  Index unknown = 0;
  ValueDifference first_unknown;
};

/// A table or dataset that only one of the files has, or rows of a table that only one has.
struct Unmatched {
  std::string path;
  bool is_whole =
      false;  ///< the dataset is missing in one file, or has another type or shape there
  bool is_of_estimates = false;       ///< a table, or a column, of estimates
  Index in_first = 0, in_second = 0;  ///< number of rows, or of datasets, without a counterpart
  std::string example;  ///< the first of them, or what differs: "the number of rows or columns"
};

struct ResultComparison {
  std::vector<DatasetComparison> datasets;  ///< in the order of the first file
  std::vector<Unmatched> unmatched;
  bool same_order = true;  ///< of the rows of all tables
  /// Whether all datasets of results are equal bit for bit, in the same order of rows. Provenance
  /// (times, hosts, configuration) is not compared.
  bool same_bits = false;
};

/// Compares the result files `first` and `second`. A column X of a table is an estimate if the
/// table has a column X_error, X_standard_error or error_of_X, or if X is `price`, `value` or
/// `mean` and the table has a column `standard_error`. The key columns are the shortest sequence of
/// leading columns whose values differ between any two rows in both files; a column that contains
/// rows of another table (its description says "row of the trade in trades/") is replaced by the
/// keys of those rows. If there are none, rows are matched by their numbers. InputError if a file
/// is missing, damaged, or not a result file of gsim.
ResultComparison compare_results(const std::string& first, const std::string& second);

}  // namespace gsim
