#pragma once
// The columns of a tally's score in the results.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"

namespace gsim::transport {

/// Mean, standard error, relative error, number of scoring batches and variance of the variance of
/// one score, by row.
class ScoreColumns {
 public:
  /// Adds a row with the statistics of `quantity`; the error is widened where few histories
  /// contribute.
  void add(const BatchStatistics& statistics, Index quantity);
  /// Writes the columns `group`/`score`, `group`/`score`_standard_error, … and their units, where
  /// `score` is its name. This rank writes the rows `rows` of `total`. Collective.
  void write(DatasetWriter& writer, const std::string& group, const std::string& score,
             const std::string& unit, IndexRange rows, Index total) const;

 private:
  std::vector<double> mean_, error_, relative_, vov_;
  std::vector<std::int64_t> scoring_;
};

}  // namespace gsim::transport
