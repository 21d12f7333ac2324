#pragma once
// Columns of tables in the result file (io/result_file.hpp).

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim::md {

/// A product of powers of units in the notation of H5MD, "Angstrom2 ps-1"; empty if a unit has no
/// name.
std::string unit_of(std::initializer_list<std::pair<std::string_view, int>> powers);

/// Prepends a remark, unless it is empty.
void prepend_remark(Estimate& estimate, const std::string& remark);
/// A remark that the correlation window is too short, if the last value of the correlation function
/// differs from zero by more than four standard errors; else empty. `first` is the value at time 0.
std::string short_window_remark(const BlockedMean& last, const BlockedMean& first);

/// Writes the columns of one table, "observables/NAME/TABLE" or "observables/NAME".
class ResultColumns {
 public:
  ResultColumns(DatasetWriter& writer, std::string path, std::string_view description);

  void numbers(std::string_view column, const std::vector<double>& values, std::string_view unit,
               std::string_view description);
  void counts(std::string_view column, const std::vector<Index>& values,
              std::string_view description);
  void texts(std::string_view column, const std::vector<std::string>& values);
  /// Two columns: `column` and `column`_error, both multiplied by `factor` > 0. Unknown errors are
  /// infinite.
  void means(std::string_view column, const std::vector<BlockedMean>& values, std::string_view unit,
             std::string_view description, double factor = 1);

 private:
  std::string at(std::string_view column) const { return path_ + "/" + std::string(column); }
  DatasetWriter& writer_;
  std::string path_;
};

}  // namespace gsim::md
