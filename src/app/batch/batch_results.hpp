#pragma once
// The results of all tasks of a batch in one table.

#include <string>
#include <vector>

#include "journal.hpp"
#include "manifest.hpp"

namespace gsim::app {

/// A task whose results cannot be read any more.
struct DamagedResult {
  std::size_t task = 0;
  std::string reason;
};

/// Paths of the files, and the number of estimates in them.
struct BatchResults {
  std::string hdf5, csv;
  Index estimates = 0;
  std::uint64_t digest = 0;  ///< of all estimates, parameters and states
  std::vector<DamagedResult> damaged;
  std::vector<std::string> unknown;  ///< those of Batch::estimates with which no name begins
};

/// Reads the estimates (those of Batch::estimates) of all tasks that are done and writes two files
/// into the folder of the batch: batch.h5, a result file with the tables `tasks` (name, state,
/// parameters) and `estimates` (task, estimate, row, value, standard_error), and estimates.csv,
/// which has the parameters in each line. A `/` of a key is `_` in the names of the columns of
/// `tasks`. Results do not depend on the order in which the tasks ran. A task whose result file is
/// missing or damaged is recorded as failed in `records`, and named in BatchResults::damaged.
/// IoError.
BatchResults write_batch_results(const Batch& batch, std::vector<TaskRecord>& records);

}  // namespace gsim::app
