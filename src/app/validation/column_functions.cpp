#include "column_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/math/elementary.hpp"
#include "gsim/math/policy.hpp"
#include "statistics.hpp"

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
    throw InputError(fmt::format("slope() of {} rows over {} rows", y.size(), x.size()));
  if (x.size() < 2) throw InputError("slope() needs two rows");
  return covariation(x, y) / covariation(x, x);
}

double row_of(const Column& c, double index) {
  if (!(index >= 0) || index != std::floor(index) || index >= static_cast<double>(c.size()))
    throw InputError(fmt::format("there is no row {} of {}", index, c.size()));
  return c[static_cast<std::size_t>(index)];
}

// Pearson's chi-square (Abramowitz and Stegun 1964, 26.4) of classes that the distribution's own
// function P makes equally probable; its tail is turned into a normal number.
Quantity gamma_score(const Column& c, double shape, double scale, double classes) {
  if (!(shape > 0) || !(scale > 0)) throw InputError("gamma_score(): shape and scale are above 0");
  if (!(classes >= 2) || classes != std::floor(classes))
    throw InputError("gamma_score(): the number of classes is a whole one, 2 or more");
  if (static_cast<double>(c.size()) < 5 * classes)
    throw InputError(fmt::format("gamma_score(): {} rows are fewer than 5 a class", c.size()));
  std::vector<double> counts(static_cast<std::size_t>(classes), 0.0);
  for (const double x : c) {
    const double p = incomplete_gamma(shape, x / scale);
    counts[static_cast<std::size_t>(std::clamp(p * classes, 0.0, classes - 1))] += 1;
  }
  const double expected = static_cast<double>(c.size()) / classes;
  double chi_square = 0;
  for (const double n : counts) chi_square += (n - expected) * (n - expected) / expected;
  const double below = incomplete_gamma(0.5 * (classes - 1), 0.5 * chi_square);
  const double score = gsim::normal_inverse<Strict>(std::clamp(below, 1e-300, 1 - 0x1p-53));
  return {score, 1, 0, static_cast<Index>(c.size())};
}

/// Two maps of pin powers, each scaled to a mean of 1 over the places that hold fuel: those where
/// the reference is not 0.
class PinPowers {
 public:
  explicit PinPowers(const std::vector<Column>& c) {
    for (const Column& other : c)
      if (other.size() != c[0].size())
        throw InputError(fmt::format("powers of {} and {} pins", c[0].size(), other.size()));
    double sum = 0, reference_sum = 0;
    for (std::size_t i = 0; i < c[0].size(); ++i) {
      if (!(c[2][i] > 0)) continue;
      sum += c[0][i];
      reference_sum += c[2][i];
      ++pins_;
    }
    for (std::size_t i = 0; i < c[0].size(); ++i) {
      if (!(c[2][i] > 0)) continue;
      power_.push_back(c[2][i] * pins_ / reference_sum);
      difference_.push_back(c[0][i] * reference_sum / (sum * c[2][i]) - 1);
      const double sampled = c[0][i] > 0 ? c[1][i] / c[0][i] : 1.0;  // nothing is known of it
      error_.push_back(std::hypot(sampled, c[3][i] / c[2][i]));
    }
  }

  /// In percent; the standard error is what it comes to where nothing but the errors of both
  /// differs (a normal number is sqrt(2 / pi) of its deviation off, on average).
  Quantity average() const { return weighted(Column(power_.size(), 1.0)); }
  Quantity weighted_by_power() const { return weighted(power_); }
  Quantity rms() const {
    return {100 * std::sqrt(mean_square(difference_)), 100 * std::sqrt(mean_square(error_)), 0, 0};
  }
  double chi_square_by_pin() const {
    Column scores = difference_;
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] /= error_[i];
    return mean_square(scores);
  }

 private:
  static double mean_square(const Column& c) {
    return std::inner_product(c.begin(), c.end(), c.begin(), 0.0) / static_cast<double>(c.size());
  }
  Quantity weighted(const Column& weights) const {
    constexpr double mean_of_normal = 0.7978845608028654;
    Quantity q;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      q.value += 100 * weights[i] * std::fabs(difference_[i]) / pins_;
      q.standard_error += 100 * weights[i] * mean_of_normal * error_[i] / pins_;
    }
    return q;
  }

  double pins_ = 0;
  Column power_, difference_, error_;
};

using Columns = std::vector<Column>;
using Numbers = std::vector<double>;

Quantity without_error(const Columns& c, double value) {
  return {value, 0, 0, static_cast<Index>(c[0].size())};
}

/// What a formula can call: how many columns and numbers it takes, and what it computes of them.
struct ColumnFunction {
  std::string_view name;
  std::size_t columns, numbers;
  bool needs_rows;
  Quantity (*evaluate)(const Columns& c, const Numbers& x);
};

constexpr std::array<ColumnFunction, 16> functions{{
    {"first", 1, 0, true,
     [](const Columns& c, const Numbers&) { return without_error(c, c[0].front()); }},
    {"last", 1, 0, true,
     [](const Columns& c, const Numbers&) { return without_error(c, c[0].back()); }},
    {"at", 1, 1, true,
     [](const Columns& c, const Numbers& x) { return without_error(c, row_of(c[0], x[0])); }},
    {"sampled", 2, 1, true,
     [](const Columns& c, const Numbers& x) {
       return Quantity{row_of(c[0], x[0]), row_of(c[1], x[0]), 0, static_cast<Index>(c[0].size())};
     }},
    {"largest", 1, 0, true,
     [](const Columns& c, const Numbers&) {
       return without_error(c, *std::max_element(c[0].begin(), c[0].end()));
     }},
    {"smallest", 1, 0, true,
     [](const Columns& c, const Numbers&) {
       return without_error(c, *std::min_element(c[0].begin(), c[0].end()));
     }},
    {"mean", 1, 0, true,
     [](const Columns& c, const Numbers&) { return without_error(c, mean_of(c[0])); }},
    {"deviation", 1, 0, true,
     [](const Columns& c, const Numbers&) {
       return without_error(c,
                            std::sqrt(covariation(c[0], c[0]) / static_cast<double>(c[0].size())));
     }},
    {"span", 1, 0, true,
     [](const Columns& c, const Numbers&) { return without_error(c, span_of(c[0])); }},
    {"slope", 2, 0, true,
     [](const Columns& c, const Numbers&) { return without_error(c, slope_of(c[0], c[1])); }},
    {"size", 1, 0, false,
     [](const Columns& c, const Numbers&) {
       return Quantity{static_cast<double>(c[0].size()), 0, 0, 0};
     }},
    {"gamma_score", 1, 3, true,
     [](const Columns& c, const Numbers& x) { return gamma_score(c[0], x[0], x[1], x[2]); }},
    {"pins_avg", 4, 0, true,
     [](const Columns& c, const Numbers&) { return PinPowers(c).average(); }},
    {"pins_rms", 4, 0, true, [](const Columns& c, const Numbers&) { return PinPowers(c).rms(); }},
    {"pins_mre", 4, 0, true,
     [](const Columns& c, const Numbers&) { return PinPowers(c).weighted_by_power(); }},
    {"pins_chi_square", 4, 0, true,
     [](const Columns& c, const Numbers&) {
       return without_error(c, PinPowers(c).chi_square_by_pin());
     }},
}};

const ColumnFunction* find(const std::string& name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const ColumnFunction& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace

bool is_column_function(const std::string& name) { return find(name) != nullptr; }

std::vector<std::string> column_function_names() {
  std::vector<std::string> names;
  names.reserve(functions.size());
  for (const ColumnFunction& f : functions) names.emplace_back(f.name);
  return names;
}

Quantity column_function(const std::string& name, const std::vector<std::vector<double>>& columns,
                         const std::vector<double>& numbers) {
  const ColumnFunction* f = find(name);
  GSIM_EXPECT(f != nullptr);
  if (columns.size() != f->columns || numbers.size() != f->numbers)
    throw InputError(fmt::format("{}() takes {} 'name'{} and {} number{}", name, f->columns,
                                 f->columns == 1 ? "" : "s", f->numbers,
                                 f->numbers == 1 ? "" : "s"));
  if (f->needs_rows && columns.front().empty())
    throw InputError(fmt::format("{}() of a column without rows", name));
  return f->evaluate(columns, numbers);
}

}  // namespace gsim::app
