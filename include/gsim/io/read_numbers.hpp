#pragma once
// Numbers of files that other programs wrote, whatever type they chose for them.

#include <span>
#include <string_view>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim {

/// Rows of dataset `path` as doubles, from any type of number. IoError as DatasetReader has it.
std::vector<double> read_numbers(DatasetReader& file, std::string_view path, IndexRange rows);

/// The block of `count` elements along each axis from `first` on (ResultReader::read_block).
std::vector<double> read_numbers(ResultReader& file, std::string_view path,
                                 std::span<const Index> first, std::span<const Index> count);

/// All rows.
std::vector<double> read_numbers(DatasetReader& file, std::string_view path);

}  // namespace gsim
