#pragma once
// Columns of tables in the result file (io/result_file.hpp).

#include <string>
#include <string_view>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "src/modules/md/observe/blocking.hpp"

namespace gsim::md {

/// Writes the columns of one table, "observables/NAME/TABLE" or "observables/NAME".
class ResultColumns {
 public:
  ResultColumns(DatasetWriter& writer, std::string path, std::string_view description);

  void numbers(std::string_view column, const std::vector<double>& values, std::string_view unit,
               std::string_view description);
  void counts(std::string_view column, const std::vector<Index>& values,
              std::string_view description);
  void words(std::string_view column, const std::vector<std::string>& values);
  /// Two columns: `column` and `column`_error, both multiplied by `factor` > 0. Errors that are not
  /// known are infinite.
  void means(std::string_view column, const std::vector<BlockedMean>& values, std::string_view unit,
             std::string_view description, double factor = 1);

 private:
  std::string at(std::string_view column) const { return path_ + "/" + std::string(column); }
  DatasetWriter& writer_;
  std::string path_;
};

}  // namespace gsim::md
