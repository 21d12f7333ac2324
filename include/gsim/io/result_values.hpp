#pragma once
// Single values and all estimates of a result file, addressed by the keys of their rows as
// compare_results() forms them.

#include <string>
#include <vector>

namespace gsim {

/// An estimate of a result file.
struct StoredEstimate {
  std::string path;  ///< "trades/price"
  std::string row;   ///< "SPX-C-100"; "row 3" in a table without keys
  std::string unit;
  double value = 0, error = 0;
};

/// All estimates of the result file `file`, in its order, without the table `history`. InputError
/// as compare_results().
std::vector<StoredEstimate> read_estimates(const std::string& file);

/// The element of the column `path` ("trades/price") in the row with the key `row`, or with that
/// number from 0, exactly as a TOML value: a number or a string in quotation marks. InputError as
/// compare_results(), and where there is no such column or row, with those that there are.
std::string read_value(const std::string& file, const std::string& path, const std::string& row);

}  // namespace gsim
