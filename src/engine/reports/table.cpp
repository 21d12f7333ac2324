#include "table.hpp"

#include <algorithm>

#include "gsim/core/text.hpp"

namespace gsim::engine {
namespace {

using Cells = std::vector<std::string>;

// Names may have any length; the last column contains remarks.
constexpr int widest_cell = 40;
constexpr int widest_remark = 200;

/// The cells with control characters escaped and long texts shortened.
Cells presentable(Cells cells) {
  for (std::string& cell : cells)
    cell = shorten(escape_controls(cell), &cell == &cells.back() ? widest_remark : widest_cell);
  return cells;
}

void widen(std::vector<int>& widths, const Cells& cells) {
  if (widths.size() < cells.size()) widths.resize(cells.size(), 0);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    widths[c] = std::max(widths[c], display_width(cells[c]));
  }
}

std::string line(const Cells& cells, const std::vector<int>& widths,
                 const std::vector<bool>& right_aligned) {
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto fill = static_cast<std::size_t>(widths[c] - display_width(cells[c]));
    const bool right = c < right_aligned.size() && right_aligned[c];
    if (c > 0) text += "  ";
    if (right) text.append(fill, ' ');
    text += cells[c];
    if (!right) text.append(fill, ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

std::string format_table(const ReportTable& table) {
  if (table.columns.empty()) return {};
  std::vector<Cells> rows{table.columns};
  for (const Cells& row : table.rows) rows.push_back(presentable(row));
  std::vector<int> widths;
  for (const Cells& row : rows) widen(widths, row);
  std::string text;
  for (const Cells& row : rows) text += line(row, widths, table.right_aligned);
  return text;
}

}  // namespace gsim::engine
