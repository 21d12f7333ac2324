// A table of a result file as CSV (RFC 4180), for spreadsheets.

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/csv.hpp"
#include "gsim/core/error.hpp"
#include "src/io/inspect/inspect.hpp"

namespace gsim::io {
namespace {

const TableInfo& find_table(const FileInfo& info, const std::string& name) {
  std::string known;
  for (const TableInfo& t : info.tables) {
    if (t.path == name) return t;
    known += (known.empty() ? "" : ", ") + t.path;
  }
  throw InputError(fmt::format("{} has no table `{}`; {}", info.path, name,
                               known.empty() ? "it has no tables" : "its tables: " + known));
}

}  // namespace

std::string to_csv(const Hdf5Reader& file, const FileInfo& info, const std::string& name) {
  const TableInfo& table = find_table(info, name);
  std::string text;
  std::vector<std::vector<Cell>> columns;
  for (const DatasetInfo& column : table.columns) {
    text += (columns.empty() ? "" : ",") + csv_cell(column.name);
    columns.push_back(read_cells(file, column, {0, table.rows}, Digits::exact));
  }
  text += '\n';
  for (Index row = 0; row < table.rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      text += (c > 0 ? "," : "") + csv_cell(columns[c][static_cast<std::size_t>(row)].text);
    text += '\n';
  }
  return text;
}

}  // namespace gsim::io
