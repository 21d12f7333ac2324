#include "gsim/io/compare_results.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "src/io/compare/loaded_table.hpp"

namespace gsim {
namespace io {
namespace {

/// Rows (or elements) of two datasets that belong together.
using Matches = std::vector<std::pair<Index, Index>>;

/// How the rows of a table in two files are matched.
struct RowMatching {
  std::vector<std::string> labels;  ///< of each match; empty: by their numbers
  Matches rows;
};

/// The values of one column that are compared.
struct ComparedColumn {
  const LoadedDataset& first;
  const LoadedDataset& second;
};

bool is_result(const std::string& path) { return !path.starts_with("provenance/"); }

bool is_comparable(const DatasetInfo& a, const DatasetInfo& b) {
  if (!a.readable || !b.readable) return false;
  const StoredType &x = a.shape.type, &y = b.shape.type;
  return x == y || (x.is_string() && y.is_string());
}

std::string label_of(const RowMatching& matching, std::size_t match, Index columns) {
  if (matching.labels.empty() || columns != 1)
    return fmt::format("row {}", matching.rows[match].first);
  return matching.labels[match];
}

/// Counts what differs between the matched rows.
void compare_bits(const ComparedColumn& c, const RowMatching& matching, DatasetComparison& out) {
  const Index columns = c.first.shape.columns;
  for (std::size_t m = 0; m < matching.rows.size(); ++m) {
    for (Index k = 0; k < columns; ++k) {
      const Index i = matching.rows[m].first * columns + k;
      const Index j = matching.rows[m].second * columns + k;
      ++out.values;
      if (c.first.same_bits(i, c.second, j)) continue;
      if (out.different++ > 0) continue;
      Digits digits = Digits::few;
      if (c.first.text(i, digits) == c.second.text(j, digits)) digits = Digits::exact;
      std::string label = label_of(matching, m, columns);
      if (columns > 1) label += fmt::format(", column {}", k);
      out.first_difference = {label, c.first.text(i, digits), c.second.text(j, digits), 0};
    }
  }
}

std::string with_error(double value, double error) {
  return std::isfinite(error) ? fmt::format("{:.7g} ± {:.2g}", value, error)
                              : fmt::format("{:.7g}", value);
}

constexpr double rounding = 1e-11;  // relative: of values that are computed without samples

/// `error`, or 0 if it is of the size of rounding errors of `value`; NaN if it is unknown.
double statistical_error(double value, double error) {
  if (!std::isfinite(error)) return std::numeric_limits<double>::quiet_NaN();
  return std::fabs(error) <= rounding * std::fabs(value) ? 0 : error;
}

bool is_equal_to_rounding(double a, double b) {
  return a == b || std::fabs(a - b) <= rounding * std::max(std::fabs(a), std::fabs(b));
}

/// z of two values with statistical errors; infinite for different values without errors, and where
/// one of them is not a number.
double z_of(double first, double first_error, double second, double second_error) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double error = std::hypot(first_error, second_error);
  const double z = error == 0 ? std::copysign(infinite, second - first) : (second - first) / error;
  return std::isnan(z) ? infinite : z;
}

/// Adds the z of each matched estimate.
void compare_estimates(const ComparedColumn& values, const ComparedColumn& errors,
                       const RowMatching& matching, DatasetComparison& out) {
  double largest = -1;
  for (std::size_t m = 0; m < matching.rows.size(); ++m) {
    const Index i = matching.rows[m].first, j = matching.rows[m].second;
    const bool has_same_bits = values.first.same_bits(i, values.second, j);
    const double a = values.first.number(i), b = values.second.number(j);
    const double a_error = statistical_error(a, errors.first.number(i));
    const double b_error = statistical_error(b, errors.second.number(j));
    const auto described = [&, row = m](double z) {
      return ValueDifference{label_of(matching, row, 1), with_error(a, errors.first.number(i)),
                             with_error(b, errors.second.number(j)), z};
    };
    if (std::isnan(a_error) || std::isnan(b_error)) {
      if (!has_same_bits && out.unknown++ == 0) out.first_unknown = described(0);
      continue;
    }
    const bool is_exact = a_error == 0 && b_error == 0;
    if (is_exact && (has_same_bits || is_equal_to_rounding(a, b))) continue;
    ++out.with_errors;
    const double z = z_of(a, a_error, b, b_error);
    if (std::isfinite(z)) out.chi_square += z * z;
    if (std::fabs(z) <= largest) continue;
    largest = std::fabs(z);
    out.largest = described(z);
  }
}

/// The keys of the rows of two tables.
struct RowKeys {
  std::vector<std::string> first, second;
};

/// The keys from the fewest key columns that identify the rows of both tables, if there are any.
std::optional<RowKeys> find_keys(const LoadedFile& a, const TableInfo& first, const LoadedFile& b,
                                 const TableInfo& second) {
  const std::size_t most = std::min(possible_keys(first), possible_keys(second));
  for (std::size_t n = 1; n <= most; ++n) {
    if (first.columns[n - 1].name != second.columns[n - 1].name) break;
    RowKeys keys{row_keys(a, first, n), row_keys(b, second, n)};
    if (all_different(keys.first) && all_different(keys.second)) return keys;
  }
  return {};
}

/// Matches rows, and adds those without a counterpart to `unmatched`.
RowMatching match_rows(const LoadedFile& a, const TableInfo& first, const LoadedFile& b,
                       const TableInfo& second, std::vector<Unmatched>& unmatched) {
  RowMatching matching;
  const bool is_of_estimates = first.path != "history" && has_estimates(first);
  Unmatched left{first.path, false, is_of_estimates, 0, 0, {}};
  const std::optional<RowKeys> found_keys = find_keys(a, first, b, second);
  if (!found_keys) {
    for (Index row = 0; row < std::min(first.rows, second.rows); ++row)
      matching.rows.emplace_back(row, row);
    left.in_first = std::max<Index>(first.rows - second.rows, 0);
    left.in_second = std::max<Index>(second.rows - first.rows, 0);
    left.example = fmt::format("row {}", std::min(first.rows, second.rows));
  } else {
    const auto& [keys, others] = *found_keys;
    std::unordered_map<std::string, Index> rows;
    for (std::size_t j = 0; j < others.size(); ++j) rows.emplace(others[j], static_cast<Index>(j));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (const auto found = rows.find(keys[i]); found != rows.end()) {
        matching.rows.emplace_back(static_cast<Index>(i), found->second);
        matching.labels.push_back(keys[i]);
        rows.erase(found);
      } else if (left.in_first++ == 0) {
        left.example = keys[i];
      }
    }
    left.in_second = static_cast<Index>(rows.size());
    if (left.in_first == 0 && left.in_second > 0)
      left.example = *std::find_if(others.begin(), others.end(),
                                   [&](const auto& key) { return rows.contains(key); });
  }
  if (left.in_first + left.in_second > 0) unmatched.push_back(std::move(left));
  return matching;
}

bool is_in_order(const RowMatching& matching) {
  return std::all_of(matching.rows.begin(), matching.rows.end(),
                     [](const auto& pair) { return pair.first == pair.second; });
}

/// Columns of trades that come from the configuration, wherever they stand.
constexpr const char* input_columns[] = {"product", "type",     "underlying",
                                         "strike",  "maturity", "quantity"};

/// Whether column `c` of a table of estimates, which is none, depends on the samples. Those before
/// the first estimate come from the configuration, too.
bool depends_on_samples(const TableInfo& table, std::size_t c) {
  const std::string& name = table.columns[c].name;
  if (std::find(std::begin(input_columns), std::end(input_columns), name) !=
      std::end(input_columns))
    return false;
  if (name == "samples") return true;
  for (std::size_t before = 0; before < c; ++before)
    if (!error_column(table, table.columns[before].name).empty()) return true;
  return false;
}

/// Compares a table that both files have; returns whether its rows have the same order.
bool compare_table(const LoadedFile& a, const TableInfo& first, const LoadedFile& b,
                   const TableInfo& second, ResultComparison& out) {
  const RowMatching matching = match_rows(a, first, b, second, out.unmatched);
  const bool is_of_estimates = has_estimates(first) && has_estimates(second);
  for (std::size_t c = 0; c < first.columns.size(); ++c) {
    const DatasetInfo& column = first.columns[c];
    const DatasetInfo* other = b.find_dataset(column.path);
    if (other == nullptr || !is_comparable(column, *other)) continue;  // reported as missing
    DatasetComparison comparison;
    comparison.path = column.path;
    const std::string error = error_column(first, column.name);
    comparison.is_estimate = !error.empty() && error == error_column(second, column.name);
    comparison.is_secondary =
        first.path == "history" ||
        (is_of_estimates && !comparison.is_estimate && depends_on_samples(first, c));
    const ComparedColumn values{a.load(column.path), b.load(column.path)};
    compare_bits(values, matching, comparison);
    if (comparison.is_estimate) {
      const std::string path = first.path + "/" + error;
      compare_estimates(values, {a.load(path), b.load(path)}, matching, comparison);
    }
    out.datasets.push_back(std::move(comparison));
  }
  a.unload(first.path);
  b.unload(second.path);
  return is_in_order(matching);
}

/// Compares a dataset that is no column of a table in both files, row by row.
void compare_dataset(const LoadedFile& a, const DatasetInfo& first, const LoadedFile& b,
                     ResultComparison& out) {
  DatasetComparison comparison;
  comparison.path = first.path;
  const ComparedColumn values{a.load(first.path), b.load(first.path)};
  const Index rows = values.first.shape.rows, others = values.second.shape.rows;
  if (rows != others || values.first.shape.columns != values.second.shape.columns) {
    out.unmatched.push_back({first.path, true, false, 1, 1, "the number of rows or columns"});
    return;
  }
  RowMatching matching;
  for (Index row = 0; row < rows; ++row) matching.rows.emplace_back(row, row);
  compare_bits(values, matching, comparison);
  out.datasets.push_back(std::move(comparison));
}

/// Tables and datasets that one file alone has, or that have different types.
void find_missing(const LoadedFile& a, const LoadedFile& b, bool is_first, ResultComparison& out) {
  std::vector<std::string> tables;  // that b does not have
  for (const DatasetInfo& dataset : a.info().datasets) {
    if (!is_result(dataset.path)) continue;
    const DatasetInfo* other = b.find_dataset(dataset.path);
    if (other != nullptr && (is_comparable(dataset, *other) || !is_first)) continue;
    Unmatched missing{dataset.path, true, false, is_first ? 1 : 0, is_first ? 0 : 1, {}};
    if (other != nullptr) {
      missing.in_first = missing.in_second = 1;
      missing.example = "the type of the elements";
    }
    const TableInfo* table = a.find_table(dataset.path.substr(0, dataset.path.rfind('/')));
    if (table != nullptr && b.find_table(table->path) == nullptr) {
      if (std::find(tables.begin(), tables.end(), table->path) != tables.end()) continue;
      tables.push_back(table->path);
      missing.path = table->path;
      missing.is_of_estimates = table->path != "history" && has_estimates(*table);
    } else if (table != nullptr) {
      missing.is_of_estimates =
          table->path != "history" && !error_column(*table, dataset.name).empty();
    }
    out.unmatched.push_back(std::move(missing));
  }
}

}  // namespace
}  // namespace io

ResultComparison compare_results(const std::string& first, const std::string& second) {
  const io::LoadedFile a(first), b(second);
  ResultComparison out;
  std::vector<std::string> done;
  for (const io::DatasetInfo& dataset : a.info().datasets) {
    const io::DatasetInfo* other = b.find_dataset(dataset.path);
    if (!io::is_result(dataset.path) || other == nullptr || !io::is_comparable(dataset, *other))
      continue;
    const std::string group = dataset.path.substr(0, dataset.path.rfind('/'));
    const io::TableInfo *table = a.find_table(group), *counterpart = b.find_table(group);
    const bool is_column = dataset.shape.columns == 1 && other->shape.columns == 1 &&
                           dataset.path != group && table != nullptr && counterpart != nullptr;
    if (!is_column) {
      io::compare_dataset(a, dataset, b, out);
    } else if (std::find(done.begin(), done.end(), group) == done.end()) {
      out.same_order = io::compare_table(a, *table, b, *counterpart, out) && out.same_order;
      done.push_back(group);
    }
  }
  io::find_missing(a, b, true, out);
  io::find_missing(b, a, false, out);
  out.same_bits =
      out.same_order && out.unmatched.empty() &&
      std::all_of(out.datasets.begin(), out.datasets.end(),
                  [](const DatasetComparison& dataset) { return dataset.different == 0; });
  return out;
}

}  // namespace gsim
