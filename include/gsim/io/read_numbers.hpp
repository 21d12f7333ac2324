#pragma once
// Reads numbers from files of other programs, converting any numeric type to double.

#include <span>
#include <string_view>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim {

/// Reads rows of dataset `path`. Throws IoError like DatasetReader.
std::vector<double> read_numbers(DatasetReader& file, std::string_view path, IndexRange rows);

/// Reads the block of `count` elements along each axis, starting at `first`
/// (ResultReader::read_block).
std::vector<double> read_numbers(ResultReader& file, std::string_view path,
                                 std::span<const Index> first, std::span<const Index> count);

/// Reads all rows.
std::vector<double> read_numbers(DatasetReader& file, std::string_view path);

}  // namespace gsim
