#include "src/io/compare/loaded_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "src/io/files/checksum_trailer.hpp"

namespace gsim::io {
namespace {

template <class T>
T element(const std::vector<char>& bytes, Index i) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

/// Calls visit(value) with element i of numbers of any type.
template <class Visit>
auto with_element(const LoadedDataset& data, Index i, const Visit& visit) {
  switch (data.shape.type.element) {
    case ElementType::float64:
      return visit(element<double>(data.bytes, i));
    case ElementType::float32:
      return visit(element<float>(data.bytes, i));
    case ElementType::int64:
      return visit(element<std::int64_t>(data.bytes, i));
    case ElementType::uint64:
      return visit(element<std::uint64_t>(data.bytes, i));
    case ElementType::int32:
      return visit(element<std::int32_t>(data.bytes, i));
    case ElementType::uint32:
      return visit(element<std::uint32_t>(data.bytes, i));
    case ElementType::uint8:
      return visit(element<std::uint8_t>(data.bytes, i));
  }
  throw Error("internal error: unknown element type");
}

const DatasetInfo* find_column(const TableInfo& table, const std::string& name) {
  for (const DatasetInfo& column : table.columns)
    if (column.name == name) return &column;
  return nullptr;
}

bool is_real(const DatasetInfo& column) {
  const StoredType& type = column.shape.type;
  return !type.is_string() &&
         (type.element == ElementType::float64 || type.element == ElementType::float32);
}

/// The table whose rows a column contains, by its description "row of the trade in trades/"; or
/// empty.
std::string table_of_rows(const DatasetInfo& column) {
  for (const auto& [name, text] : column.attributes) {
    if (name != "description" || !text.starts_with("row of ")) continue;
    const std::size_t in = text.find(" in "), end = text.find('/');
    if (in != std::string::npos && end != std::string::npos && end > in)
      return text.substr(in + 4, end - in - 4);
  }
  return {};
}

}  // namespace

std::string verified_path(const std::string& path, const std::string& what) {
  if (const std::string reason = regular_file_problem(path); !reason.empty())
    throw InputError(fmt::format("cannot compare {}: {}", path, reason));
  const ChecksumResult checksums = verify_checksums(Communicator::self(), path);
  if (!checksums.damage.empty())
    throw InputError(fmt::format("{} {}; its contents cannot be trusted", path, checksums.damage));
  if (checksums.kind != TrailerKind::file)
    throw InputError(fmt::format("{} is not {}", path, what));
  return path;
}

bool LoadedDataset::same_bits(Index i, const LoadedDataset& other, Index j) const {
  if (shape.type.is_string())
    return texts[static_cast<std::size_t>(i)] == other.texts[static_cast<std::size_t>(j)];
  const std::size_t size = shape.type.size();
  return std::memcmp(bytes.data() + static_cast<std::size_t>(i) * size,
                     other.bytes.data() + static_cast<std::size_t>(j) * size, size) == 0;
}

double LoadedDataset::number(Index i) const {
  if (shape.type.is_string()) return std::numeric_limits<double>::quiet_NaN();
  return with_element(*this, i, [](auto value) { return static_cast<double>(value); });
}

std::string LoadedDataset::text(Index i, Digits digits) const {
  if (shape.type.is_string()) return texts[static_cast<std::size_t>(i)];
  return with_element(*this, i, [&](auto value) {
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      if (digits == Digits::few) return fmt::format("{:.7g}", value);
    }
    return fmt::format("{}", value);
  });
}

LoadedFile::LoadedFile(const std::string& path, Contents contents)
    : file_(verified_path(path)), info_(summarize_file(file_, contents)) {
  if (info_.kind != "results")
    throw InputError(fmt::format("{} is not a result file of gsim", path));
}

const TableInfo* LoadedFile::find_table(const std::string& path) const {
  for (const TableInfo& table : info_.tables)
    if (table.path == path) return &table;
  return nullptr;
}

const DatasetInfo* LoadedFile::find_dataset(const std::string& path) const {
  for (const DatasetInfo& dataset : info_.datasets)
    if (dataset.path == path) return &dataset;
  return nullptr;
}

const LoadedDataset& LoadedFile::load(const std::string& path) const {
  if (const auto found = loaded_.find(path); found != loaded_.end()) return found->second;
  LoadedDataset data;
  data.shape = file_.shape(path);
  if (data.shape.type.is_string()) {
    data.texts = file_.read_strings(path);
  } else {
    data.bytes.resize(static_cast<std::size_t>(data.size()) * data.shape.type.size());
    file_.read(path, data.shape.type, {0, data.shape.rows}, data.bytes.data());
  }
  return loaded_.emplace(path, std::move(data)).first->second;
}

void LoadedFile::unload(const std::string& path) const {
  std::erase_if(loaded_, [&](const auto& entry) { return entry.first.starts_with(path + "/"); });
}

std::string error_column(const TableInfo& table, const std::string& name) {
  for (const std::string& error : {name + "_error", name + "_standard_error", "error_of_" + name}) {
    const DatasetInfo* column = find_column(table, error);
    if (column != nullptr && is_real(*column)) return error;
  }
  const bool is_main = name == "price" || name == "value" || name == "mean";
  return is_main && find_column(table, "standard_error") != nullptr ? "standard_error"
                                                                    : std::string();
}

bool has_estimates(const TableInfo& table) {
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const DatasetInfo& column) {
    return !error_column(table, column.name).empty();
  });
}

std::size_t possible_keys(const TableInfo& table) {
  const bool allow_reals = has_estimates(table);
  std::size_t n = 0;
  for (const DatasetInfo& column : table.columns) {
    if (!error_column(table, column.name).empty()) break;
    if (is_real(column) && (n == 0 || !allow_reals)) break;
    ++n;
  }
  return n;
}

std::vector<std::string> row_keys(const LoadedFile& file, const TableInfo& table,
                                  std::size_t columns) {
  std::vector<std::string> keys(static_cast<std::size_t>(table.rows));
  for (std::size_t c = 0; c < columns; ++c) {
    const DatasetInfo& column = table.columns[c];
    const std::string other = table_of_rows(column);
    const std::vector<std::string> names = other.empty() || other == table.path
                                               ? std::vector<std::string>()
                                               : identifying_keys(file, file.find_table(other));
    const LoadedDataset& data = file.load(column.path);
    for (Index row = 0; row < table.rows; ++row) {
      std::string text = data.text(row, Digits::exact);
      if (column.shape.type.is_string()) {
        if (text.empty()) continue;
      } else if (const double at = data.number(row);
                 at >= 0 && at < static_cast<double>(names.size())) {
        text = names[static_cast<std::size_t>(at)];
      } else {
        text = fmt::format("{} {}", column.name, text);
      }
      std::string& key = keys[static_cast<std::size_t>(row)];
      key += (key.empty() ? "" : ", ") + text;
    }
  }
  return keys;
}

std::vector<std::string> identifying_keys(const LoadedFile& file, const TableInfo* table) {
  for (std::size_t n = 1; table != nullptr && n <= possible_keys(*table); ++n) {
    std::vector<std::string> keys = row_keys(file, *table, n);
    if (all_different(keys)) return keys;
  }
  return {};
}

bool all_different(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return std::adjacent_find(texts.begin(), texts.end()) == texts.end();
}

}  // namespace gsim::io
