#include "src/modules/md/sampling/result_columns.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace gsim::md {

std::string unit_of(std::initializer_list<std::pair<std::string_view, int>> powers) {
  std::string unit;
  for (const auto& [name, power] : powers) {
    if (name.empty()) return {};
    unit += (unit.empty() ? "" : " ") + std::string(name);
    if (power != 1) unit += std::to_string(power);
  }
  return unit;
}

void prepend_remark(Estimate& estimate, const std::string& remark) {
  if (remark.empty()) return;
  estimate.remark = estimate.remark.empty() ? remark : remark + "; " + estimate.remark;
}

std::string short_window_remark(const BlockedMean& last, const BlockedMean& first) {
  if (!last.has_error() || !(std::abs(last.mean) > 4 * last.standard_error)) return {};
  return fmt::format(
      "the correlation function at the end of the window is still {:.2g} of its first value",
      last.mean / first.mean);
}

ResultColumns::ResultColumns(DatasetWriter& writer, std::string path, std::string_view description)
    : writer_(writer), path_(std::move(path)) {
  writer_.attribute(path_, "description", description);
}

void ResultColumns::numbers(std::string_view column, const std::vector<double>& values,
                            std::string_view unit, std::string_view description) {
  writer_.write(at(column), values);
  if (!unit.empty()) writer_.attribute(at(column), "unit", unit);
  writer_.attribute(at(column), "description", description);
}

void ResultColumns::counts(std::string_view column, const std::vector<Index>& values,
                           std::string_view description) {
  writer_.write(at(column), values);
  writer_.attribute(at(column), "description", description);
}

void ResultColumns::texts(std::string_view column, const std::vector<std::string>& values) {
  writer_.write_strings(at(column), values);
}

void ResultColumns::means(std::string_view column, const std::vector<BlockedMean>& values,
                          std::string_view unit, std::string_view description, double factor) {
  std::vector<double> mean, error;
  for (const BlockedMean& v : values) {
    mean.push_back(v.mean * factor);
    error.push_back(v.standard_error * factor);
  }
  const std::string errors = std::string(column) + "_error";
  numbers(column, mean, unit, description);
  numbers(errors, error, unit, "standard error");
}

}  // namespace gsim::md
