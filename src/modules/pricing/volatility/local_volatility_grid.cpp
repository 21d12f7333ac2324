#include "src/modules/pricing/volatility/local_volatility_grid.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/market/model_keys.hpp"

namespace gsim::pricing {
namespace {

/// A row of the grid: a time, and the interval of expiries on whose side of it the row is.
struct Row {
  double time;
  std::size_t interval;
};

/// With two rows at every discrete dividend, just before it and at it.
void add_drops(const VolatilitySurface& surface, std::vector<Row>& rows) {
  constexpr double just_before = 1 - 1e-9;
  const double last = rows.back().time;
  for (const auto& [time, log_factor] : surface.forwards().drops)
    if (time <= last)
      for (const double t : {time * just_before, time}) rows.push_back({t, surface.interval_of(t)});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.time < b.time; });
  rows.erase(std::unique(rows.begin(), rows.end(),
                         [](const Row& a, const Row& b) { return a.time == b.time; }),
             rows.end());
}

/// Rows after the last expiry up to `horizon`: so close together that the forward moves by at most
/// a quarter of a standard deviation of ln S between them.
void add_rows_after_last(const VolatilitySurface& surface, double horizon, std::vector<Row>& rows) {
  constexpr double longest_step = 0.25, largest_drift = 0.25;  // relative to time, and to deviation
  constexpr double shortest_step = 1.0 / 64;                   // relative to time
  const ForwardCurve& forwards = surface.forwards();
  const double last = surface.expiries().back();
  const double deviation = surface.deviation(surface.expiries().size() - 1);
  double t = last;
  while (t < horizon) {
    double step = longest_step;
    const auto drift = [&] {
      return std::fabs(forwards.log_forward(t * (1 + step)) - forwards.log_forward(t));
    };
    while (step > shortest_step && drift() > largest_drift * deviation * std::sqrt(t / last))
      step *= 0.5;
    t = std::fmin(t * (1 + step), horizon);
    rows.push_back({t, surface.expiries().size()});
  }
}

std::vector<Row> make_rows(const VolatilitySurface& surface, double horizon) {
  constexpr double rows_per_year = 24;
  constexpr double after_expiry = 1 + 1e-9;  // beside the row at the expiry itself
  const std::vector<double>& expiries = surface.expiries();
  std::vector<Row> rows{{0, 0}};
  double from = 0;
  for (std::size_t i = 0; i < expiries.size(); ++i) {
    const double length = expiries[i] - from;
    const int n = static_cast<int>(std::clamp(std::ceil(length * rows_per_year), 4.0, 48.0));
    for (int j = 1; j <= n; ++j) rows.push_back({j == n ? expiries[i] : from + length * j / n, i});
    from = expiries[i];
    rows.push_back({from * after_expiry, i + 1});
  }
  add_rows_after_last(surface, horizon, rows);
  add_drops(surface, rows);
  return rows;
}

/// Equally spaced log-spots: an eighth of a standard deviation of the first expiry apart, within
/// limits. They are the same for shifted volatilities, so that differences between surfaces are not
/// those of grids.
std::vector<double> log_spots(const VolatilitySurface& surface, const std::vector<Row>& rows) {
  constexpr double deviations = 6, points_per_deviation = 8, min_points = 201, max_points = 801;
  const std::vector<double>& expiries = surface.expiries();
  const double first = surface.deviation(0), last = surface.deviation(expiries.size() - 1);
  double low = logarithm(surface.forwards().spot), high = low;
  for (const Row& row : rows) {
    const double reach = deviations * last * std::sqrt(std::fmax(row.time / expiries.back(), 1.0));
    low = std::fmin(low, surface.forwards().log_forward(row.time) - reach);
    high = std::fmax(high, surface.forwards().log_forward(row.time) + reach);
  }
  const double points = std::ceil((high - low) / first * points_per_deviation);
  const auto n = static_cast<std::size_t>(std::clamp(points, min_points, max_points));
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1);
  return x;
}

/// Changes equally spaced values so that linear interpolation between them is right on average
/// over an interval: by the trapezoidal rule it is too high by a twelfth of the second difference.
void correct_for_interpolation(std::vector<double>& values) {
  double before = values.front();
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const double value = values[i];
    const double corrected = value - (values[i + 1] - 2 * value + before) / 12;
    values[i] = std::fmax(corrected, 0.0);
    before = value;
  }
}

double local_variance(const VolatilitySurface& surface, std::size_t interval, double t, double k) {
  constexpr double smallest_density = 0.01;
  const auto w = surface.in_interval(interval, t, k);
  return std::fmax(w.time_slope, 0.0) / std::fmax(durrleman(w, k), smallest_density);
}

bool keeps_a_quarter(const VolatilitySurface& surface, const VolatilitySurface& shifted) {
  constexpr int points_on_a_side = 20;
  constexpr double deviations = 4, share = 0.25;
  const std::vector<double>& expiries = surface.expiries();
  for (std::size_t i = 0; i <= expiries.size(); ++i)
    for (int j = -points_on_a_side; j <= points_on_a_side; ++j) {
      const std::size_t last = std::min(i, expiries.size() - 1);
      const double k = deviations * surface.deviation(last) * j / points_on_a_side;
      const double from = i == 0 ? 0 : expiries[i - 1];
      const double to = i < expiries.size() ? expiries[i] : 2 * from;
      for (const double t : {from, to}) {
        const double before = local_variance(surface, i, t, k);
        if (!(local_variance(shifted, i, t, k) >= share * before)) return false;
      }
    }
  return true;
}

}  // namespace

double allowed_shift(const VolatilitySurface& surface, int bucket, double size) {
  constexpr int halvings = 30;
  for (std::size_t i = 0; i < surface.expiries().size(); ++i)
    size = std::fmin(size, 0.5 * surface.deviation(i) / std::sqrt(surface.expiries()[i]));
  for (int i = 0; i < halvings; ++i, size *= 0.5)
    if (keeps_a_quarter(surface, surface.shifted(bucket, size)) &&
        keeps_a_quarter(surface, surface.shifted(bucket, -size)))
      return size;
  return size;
}

double smallest_volatility(const VolatilitySurface& surface) {
  constexpr int points_on_a_side = 60, points_per_deviation = 10;
  double smallest = largest_volatility;
  for (std::size_t i = 0; i < surface.expiries().size(); ++i)
    for (int j = -points_on_a_side; j <= points_on_a_side; ++j) {
      const double k = surface.deviation(i) * j / points_per_deviation;
      const double variance = surface.at_expiry(i, k).value / surface.expiries()[i];
      smallest = std::fmin(smallest, std::sqrt(variance));
    }
  return smallest;
}

LocalVolatilityGrid local_volatility_grid(const VolatilitySurface& surface, double horizon) {
  const std::vector<Row> rows = make_rows(surface, horizon);
  const std::vector<double> x = log_spots(surface, rows);
  LocalVolatilityGrid grid;
  for (const double log_spot : x) grid.spots.push_back(exponential(log_spot));
  for (const Row& row : rows) {
    grid.times.push_back(row.time);
    std::vector<double>& values = grid.volatility.emplace_back();
    const double log_forward = surface.forwards().log_forward(row.time);
    for (const double log_spot : x) {
      const double variance =
          local_variance(surface, row.interval, row.time, log_spot - log_forward);
      values.push_back(std::fmin(std::sqrt(variance), largest_volatility));
    }
    correct_for_interpolation(values);
    grid.largest = std::fmax(grid.largest, *std::max_element(values.begin(), values.end()));
  }
  return grid;
}

}  // namespace gsim::pricing
