#pragma once
// Numbers of files that other programs wrote, whatever type they chose for them.

#include <string_view>
#include <vector>

#include "gsim/io/dataset.hpp"

namespace gsim {

/// Rows of dataset `path` as doubles, from any type of number. IoError as DatasetReader has it.
std::vector<double> read_numbers(DatasetReader& file, std::string_view path, IndexRange rows);

/// All rows.
std::vector<double> read_numbers(DatasetReader& file, std::string_view path);

}  // namespace gsim
