#pragma once
// The results of all tasks of a batch in one table.

#include <string>
#include <vector>

#include "journal.hpp"
#include "manifest.hpp"

namespace gsim::app {

/// Paths of the files, and the number of estimates in them.
struct BatchResults {
  std::string hdf5, csv;
  Index estimates = 0;
  std::uint64_t digest = 0;  ///< of all estimates, parameters and states
};

/// Reads the estimates of all tasks that are done and writes two files into the folder of the
/// batch: batch.h5, a result file with the tables `tasks` (name, state, parameters) and `estimates`
/// (task, estimate, row, value, standard_error), and estimates.csv, which has the parameters in
/// each line. Results do not depend on the order in which the tasks ran. IoError, and InputError
/// for a damaged result file.
BatchResults write_batch_results(const Batch& batch, const std::vector<TaskRecord>& records);

}  // namespace gsim::app
