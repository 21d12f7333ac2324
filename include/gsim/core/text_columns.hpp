#pragma once
// Text in aligned columns.

#include <span>
#include <string>
#include <vector>

namespace gsim {

struct TextColumn {
  bool is_right_aligned = false;
  std::vector<std::string> cells;  ///< the same number in every column; the first is the heading
};

/// Lines with two spaces before each column, without blanks at their ends. Cells have no control
/// characters.
std::string align_columns(std::span<const TextColumn> columns);

}  // namespace gsim
