#include "gsim/io/result_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/core/toml_string.hpp"
#include "src/io/compare/loaded_table.hpp"

namespace gsim {
namespace io {
namespace {

std::string attribute_of(const DatasetInfo& dataset, std::string_view wanted) {
  for (const auto& [name, text] : dataset.attributes)
    if (name == wanted) return text;
  return {};
}

}  // namespace
}  // namespace io

std::vector<StoredEstimate> read_estimates(const std::string& path) {
  const io::LoadedFile file(path, io::Contents::tables);
  std::vector<StoredEstimate> estimates;
  for (const io::TableInfo& table : file.info().tables) {
    if (table.path == "history" || !io::has_estimates(table)) continue;
    const std::vector<std::string> keys = io::identifying_keys(file, &table);
    for (const io::DatasetInfo& column : table.columns) {
      const std::string error = io::error_column(table, column.name);
      if (error.empty()) continue;
      const io::LoadedDataset& values = file.load(column.path);
      const io::LoadedDataset& errors = file.load(table.path + "/" + error);
      const std::string unit = io::attribute_of(column, "unit");
      for (Index row = 0; row < table.rows; ++row)
        estimates.push_back(
            {column.path,
             keys.empty() ? fmt::format("row {}", row) : keys[static_cast<std::size_t>(row)], unit,
             values.number(row), errors.number(row)});
    }
    file.unload(table.path);
  }
  return estimates;
}

std::string read_value(const std::string& path, const std::string& dataset,
                       const std::string& row) {
  const io::LoadedFile file(path, io::Contents::tables);
  const io::TableInfo* table = file.find_table(dataset.substr(0, dataset.rfind('/')));
  const io::DatasetInfo* column = table == nullptr ? nullptr : file.find_dataset(dataset);
  if (column == nullptr || column->shape.columns != 1) {
    std::vector<std::string> known;
    for (const io::TableInfo& t : file.info().tables)
      for (const io::DatasetInfo& c : t.columns) known.push_back(c.path);
    throw InputError(fmt::format("{} has no column `{}`; its columns are {}", path,
                                 excerpt(dataset), excerpt(known)));
  }
  const std::vector<std::string> keys = io::identifying_keys(file, table);
  auto at = static_cast<Index>(std::find(keys.begin(), keys.end(), row) - keys.begin());
  if (at == static_cast<Index>(keys.size())) {
    at = table->rows;
    if (!row.empty() && row.size() < 10 && row.find_first_not_of("0123456789") == row.npos)
      at = std::stoll(row);
  }
  if (at >= table->rows)
    throw InputError(fmt::format(
        "{} has no row `{}` in {}; its rows are {}", path, excerpt(row), excerpt(table->path),
        keys.empty() ? fmt::format("0 to {}", table->rows - 1) : excerpt(keys)));
  const std::string text = file.load(dataset).text(at, io::Digits::exact);
  return column->shape.type.is_string() ? toml_string(text) : text;
}

}  // namespace gsim
