#include "gsim/engine/series_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/misuse.hpp"

namespace gsim {

void SeriesKeys::describe(Section& s) {
  s.optional("every", every, {.doc = "steps between rows of the table (0: none)", .minimum = 0});
  s.optional("from", from,
             {.doc = "averages begin at this step, when the system has come to equilibrium",
              .minimum = 0});
}

void SeriesKeys::describe_every(Section& s) {
  s.optional("every", every, {.doc = "steps between rows of the table", .minimum = 1});
}

SeriesTable::SeriesTable(std::string group, std::vector<SeriesColumn> columns,
                         const SeriesKeys& keys)
    : group_(std::move(group)),
      columns_(std::move(columns)),
      keys_(keys),
      averages_(static_cast<Index>(columns_.size())) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::string& name = columns_[c].name;
    const auto is_same = [&](const SeriesColumn& other) { return other.name == name; };
    const auto column = columns_.begin() + static_cast<std::ptrdiff_t>(c);
    if (name.empty() || name == "step" || name == "values" ||
        std::any_of(columns_.begin(), column, is_same))
      throw MisuseError(fmt::format(
          "a column of the table {} cannot be called \"{}\"; give each a name of its own, other "
          "than \"step\" and \"values\"",
          group_, name));
  }
}

Index SeriesTable::next(Index step) const {
  if (keys_.every == 0) return std::numeric_limits<Index>::max();
  return (step + keys_.every - 1) / keys_.every * keys_.every;
}

void SeriesTable::check_row(Index step, std::span<const double> row) {
  if (row.size() != columns_.size())
    throw MisuseError(fmt::format("a row of the table {} has {} numbers for {} columns", group_,
                                  row.size(), columns_.size()));
  if (rows() > 0 && step <= steps_.back())
    throw MisuseError(fmt::format("the table {} is given a row of step {} after one of step {}",
                                  group_, step, steps_.back()));
}

void SeriesTable::put(Index step, std::span<const double> row) {
  check_row(step, row);
  steps_.push_back(step);
  values_.insert(values_.end(), row.begin(), row.end());
}

void SeriesTable::append(Index step, std::span<const double> row) {
  drop_end();
  put(step, row);
  average(rows() - 1);
}

void SeriesTable::append_end(Index step, std::span<const double> row) {
  drop_end();
  if (keys_.every == 0 || (rows() > 0 && steps_.back() == step)) return;
  put(step, row);
  has_end_ = true;
}

void SeriesTable::drop_end() {
  if (!has_end_) return;
  steps_.pop_back();
  values_.resize(steps_.size() * columns_.size());
  has_end_ = false;
}

void SeriesTable::average(Index row) {
  const auto r = static_cast<std::size_t>(row);
  if (steps_[r] < keys_.from) return;
  averages_.add(std::span<const double>(values_).subspan(r * columns_.size(), columns_.size()));
}

std::size_t SeriesTable::find(std::string_view name) const {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].name == name) return c;
  throw MisuseError(fmt::format("the table {} has no column \"{}\"", group_, name));
}

std::vector<double> SeriesTable::column(std::string_view name) const {
  const std::size_t c = find(name);
  std::vector<double> values;
  values.reserve(steps_.size());
  for (Index r = 0; r < rows(); ++r) values.push_back(value(r, c));
  return values;
}

double SeriesTable::last(std::string_view name) const {
  const std::size_t c = find(name);
  if (rows() == 0)
    throw MisuseError(fmt::format("the table {} has no rows yet, and so no last value", group_));
  return value(rows() - 1, c);
}

BlockedMean SeriesTable::mean(std::string_view name) const {
  return averages_.mean(static_cast<Index>(find(name)));
}

std::vector<Estimate> SeriesTable::estimates() const {
  std::vector<Estimate> all;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].is_averaged)
      all.push_back(
          averages_.mean(static_cast<Index>(c)).estimate(columns_[c].name, columns_[c].unit));
  return all;
}

void SeriesTable::save(DatasetWriter& writer) const {
  const std::size_t saved = steps_.size() - (has_end_ ? 1 : 0);
  writer.write(group_ + "/step", std::span(steps_).first(saved));
  writer.write(group_ + "/values", std::span(values_).first(saved * columns_.size()),
               static_cast<Index>(columns_.size()));
}

void SeriesTable::restore(DatasetReader& reader) {
  steps_ = reader.read<Index>(group_ + "/step");
  values_ = reader.read<double>(group_ + "/values");
  if (values_.size() != steps_.size() * columns_.size())
    throw IoError(fmt::format("checkpoint: {}/values does not hold this run's columns", group_));
  has_end_ = false;
  averages_ = Blocking(static_cast<Index>(columns_.size()));
  for (Index row = 0; row < rows(); ++row) average(row);
}

namespace {

/// The table GROUP_averages, with a row for each estimate.
void write_averages(DatasetWriter& writer, const std::string& group,
                    const std::vector<Estimate>& estimates) {
  std::vector<std::string> names, units;
  std::vector<double> means, errors;
  for (const Estimate& e : estimates) {
    names.push_back(e.name);
    units.push_back(e.unit);
    means.push_back(e.mean);
    errors.push_back(e.standard_error);
  }
  if (names.empty()) return;
  const std::string table = group + "_averages";
  writer.write_strings(table + "/quantity", names);
  writer.write(table + "/mean", means);
  writer.write(table + "/standard_error", errors);
  writer.write_strings(table + "/unit", units);
  writer.attribute(table, "description",
                   fmt::format("means of the columns of {} from its key `from` on", group));
}

}  // namespace

void SeriesTable::write_results(DatasetWriter& writer) const {
  if (keys_.every == 0) return;
  writer.write(group_ + "/step", steps_);
  for (const SeriesColumn& c : columns_) {
    const std::string path = group_ + "/" + c.name;
    writer.write(path, column(c.name));
    if (!c.unit.empty()) writer.attribute(path, "unit", c.unit);
    if (!c.description.empty()) writer.attribute(path, "description", c.description);
  }
  write_averages(writer, group_, estimates());
}

ReportTable SeriesTable::report(Index max_rows) const {
  ReportTable table;
  const auto add_column = [&](std::string name, const std::string& unit) {
    std::replace(name.begin(), name.end(), '_', ' ');
    table.columns.push_back(unit.empty() ? name : fmt::format("{} ({})", name, unit));
    table.right_aligned.push_back(true);
  };
  add_column("step", "");
  for (const SeriesColumn& c : columns_) add_column(c.name, c.unit);
  const Index first = std::max<Index>(rows() - max_rows, 0);
  for (Index r = first; r < rows(); ++r) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(std::to_string(step(r)));
    for (std::size_t c = 0; c < columns_.size(); ++c)
      cells.push_back(fmt::format("{:.{}g}", value(r, c), columns_[c].digits));
  }
  if (first > 0)
    table.footer.push_back(
        fmt::format("{} earlier row{} in the result file", first, first == 1 ? " is" : "s are"));
  for (const Estimate& e : estimates()) {
    std::string line = fmt::format("mean {} {:.8g} ± {:.2g}{}{}", e.name, e.mean, e.standard_error,
                                   e.unit.empty() ? "" : " ", e.unit);
    std::replace(line.begin(), line.end(), '_', ' ');
    table.footer.push_back(e.remark.empty() ? line : line + "; " + e.remark);
  }
  return table;
}

std::uint64_t SeriesTable::digest() const {
  Digest digest;
  digest.add(std::span<const Index>(steps_)).add(std::span<const double>(values_));
  return digest.value();
}

}  // namespace gsim
