#include "column_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/math/elementary.hpp"
#include "gsim/math/policy.hpp"
#include "src/app/validation/statistics.hpp"

namespace gsim::app {
namespace {

using Column = std::vector<double>;

double mean_of(const Column& c) {
  return std::accumulate(c.begin(), c.end(), 0.0) / static_cast<double>(c.size());
}

/// Sum of (x - mean of x)(y - mean of y).
double covariation(const Column& x, const Column& y) {
  const double mx = mean_of(x), my = mean_of(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mx) * (y[i] - my);
  return sum;
}

double span_of(const Column& c) {
  const auto [low, high] = std::minmax_element(c.begin(), c.end());
  return *high - *low;
}

double slope_of(const Column& y, const Column& x) {
  if (x.size() != y.size())
    throw InputError(fmt::format("slope() needs columns of equal length, not of {} and {} rows",
                                 y.size(), x.size()));
  if (x.size() < 2) throw InputError("slope() needs at least two rows");
  return covariation(x, y) / covariation(x, x);
}

/// The value in row `index`, from 0.
double row_of(const Column& c, double index) {
  if (!(index >= 0) || index != std::floor(index) || index >= static_cast<double>(c.size()))
    throw InputError(fmt::format("there is no row {} in a column of {} rows", index, c.size()));
  return c[static_cast<std::size_t>(index)];
}

// Pearson's chi-square (Abramowitz and Stegun 1964, 26.4) of classes that are equally probable by
// the gamma distribution; its tail probability is converted to a standard normal number.
Quantity gamma_score(const Column& c, double shape, double scale, double classes) {
  if (!(shape > 0) || !(scale > 0))
    throw InputError("gamma_score(): shape and scale must be greater than 0");
  if (!(classes >= 2) || classes != std::floor(classes))
    throw InputError("gamma_score(): the number of classes must be an integer of at least 2");
  if (static_cast<double>(c.size()) < 5 * classes)
    throw InputError(fmt::format("gamma_score(): {} rows are fewer than 5 per class", c.size()));
  std::vector<double> counts(static_cast<std::size_t>(classes), 0.0);
  for (const double x : c) {
    const double p = incomplete_gamma(shape, x / scale);
    counts[static_cast<std::size_t>(std::clamp(p * classes, 0.0, classes - 1))] += 1;
  }
  const double expected = static_cast<double>(c.size()) / classes;
  double chi_square = 0;
  for (const double n : counts) chi_square += (n - expected) * (n - expected) / expected;
  const double lower_tail = incomplete_gamma(0.5 * (classes - 1), 0.5 * chi_square);
  const double score = gsim::normal_inverse<Strict>(std::clamp(lower_tail, 1e-300, 1 - 0x1p-53));
  return {score, 1, 0, static_cast<Index>(c.size())};
}

using Columns = ValidationFunction::Columns;
using Numbers = ValidationFunction::Numbers;

Quantity without_error(const Columns& c, double value) {
  return {value, 0, 0, static_cast<Index>(c[0].size())};
}

/// A function that belongs to no module; its arguments are `columns` columns and `numbers` numbers.
ValidationFunction common(const char* name, std::size_t columns, std::size_t numbers,
                          bool needs_rows,
                          Quantity (*evaluate)(const Columns& c, const Numbers& x)) {
  return {.module = {},
          .name = name,
          .doc = {},
          .columns = columns,
          .numbers = numbers,
          .needs_rows = needs_rows,
          .evaluate = evaluate};
}

/// The functions that the formulas of all modules can call.
const std::vector<ValidationFunction>& common_functions() {
  static const std::vector<ValidationFunction> functions{
      common("first", 1, 0, true,
             [](const Columns& c, const Numbers&) { return without_error(c, c[0].front()); }),
      common("last", 1, 0, true,
             [](const Columns& c, const Numbers&) { return without_error(c, c[0].back()); }),
      common(
          "at", 1, 1, true,
          [](const Columns& c, const Numbers& x) { return without_error(c, row_of(c[0], x[0])); }),
      common("sampled", 2, 1, true,
             [](const Columns& c, const Numbers& x) {
               return Quantity{row_of(c[0], x[0]), row_of(c[1], x[0]), 0,
                               static_cast<Index>(c[0].size())};
             }),
      common("largest", 1, 0, true,
             [](const Columns& c, const Numbers&) {
               return without_error(c, *std::max_element(c[0].begin(), c[0].end()));
             }),
      common("smallest", 1, 0, true,
             [](const Columns& c, const Numbers&) {
               return without_error(c, *std::min_element(c[0].begin(), c[0].end()));
             }),
      common("mean", 1, 0, true,
             [](const Columns& c, const Numbers&) { return without_error(c, mean_of(c[0])); }),
      common("deviation", 1, 0, true,
             [](const Columns& c, const Numbers&) {
               return without_error(
                   c, std::sqrt(covariation(c[0], c[0]) / static_cast<double>(c[0].size())));
             }),
      common("span", 1, 0, true,
             [](const Columns& c, const Numbers&) { return without_error(c, span_of(c[0])); }),
      common(
          "slope", 2, 0, true,
          [](const Columns& c, const Numbers&) { return without_error(c, slope_of(c[0], c[1])); }),
      common("size", 1, 0, false,
             [](const Columns& c, const Numbers&) {
               return Quantity{static_cast<double>(c[0].size()), 0, 0, 0};
             }),
      common(
          "gamma_score", 1, 3, true,
          [](const Columns& c, const Numbers& x) { return gamma_score(c[0], x[0], x[1], x[2]); }),
  };
  return functions;
}

}  // namespace

const ValidationFunction* ColumnFunctions::find(const std::string& name) const {
  for (const ValidationFunction& f : common_functions())
    if (f.name == name) return &f;
  for (const ValidationFunction* f : registered_)
    if (f->name == name) return f;
  return nullptr;
}

std::vector<std::string> ColumnFunctions::names() const {
  std::vector<std::string> names;
  for (const ValidationFunction& f : common_functions()) names.push_back(f.name);
  for (const ValidationFunction* f : registered_) names.push_back(f->name);
  return names;
}

Quantity evaluate(const ValidationFunction& function, const ValidationFunction::Columns& columns,
                  const ValidationFunction::Numbers& numbers) {
  const ValidationFunction& f = function;
  if (columns.size() != f.columns || numbers.size() != f.numbers)
    throw InputError(fmt::format("{}() takes {} quoted name{} and {} number{}", f.name, f.columns,
                                 f.columns == 1 ? "" : "s", f.numbers, f.numbers == 1 ? "" : "s"));
  if (f.needs_rows && columns.front().empty())
    throw InputError(fmt::format("{}() needs a column with at least one row", f.name));
  return f.evaluate(columns, numbers);
}

}  // namespace gsim::app
