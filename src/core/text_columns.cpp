#include "gsim/core/text_columns.hpp"

#include <algorithm>

#include "gsim/core/text.hpp"

namespace gsim {

std::string align_columns(std::span<const TextColumn> columns) {
  std::vector<int> widths;
  for (const TextColumn& column : columns) {
    int widest = 0;
    for (const auto& cell : column.cells) widest = std::max(widest, display_width(cell));
    widths.push_back(widest);
  }
  std::string text;
  for (std::size_t row = 0; !columns.empty() && row < columns[0].cells.size(); ++row) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& cell = columns[c].cells[row];
      const std::string padding(static_cast<std::size_t>(widths[c] - display_width(cell)), ' ');
      line += "  " + (columns[c].is_right_aligned ? padding + cell : cell + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace gsim
