#include "src/modules/pricing/exposures/piecewise_linear.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "gsim/core/error.hpp"

namespace gsim::pricing {
namespace {

/// A symmetric tridiagonal system of equations.
struct Tridiagonal {
  explicit Tridiagonal(std::size_t n) : diagonal(n), above(n), right(n) {}
  std::vector<double> diagonal, above, right;

  /// The solution, in which unknowns whose equations are nearly dependent on those before are 0.
  std::vector<double> solve() const {
    constexpr double smallest = 1e-12;
    const std::size_t n = diagonal.size();
    std::vector<double> pivot = diagonal, x = right;
    std::vector<bool> is_solved(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0 && is_solved[i - 1]) {
        const double factor = above[i - 1] / pivot[i - 1];
        pivot[i] -= factor * above[i - 1];
        x[i] -= factor * x[i - 1];
      }
      is_solved[i] = pivot[i] > smallest * diagonal[i];
    }
    for (std::size_t i = n; i-- > 0;) {
      if (i + 1 < n) x[i] -= above[i] * x[i + 1];
      x[i] = is_solved[i] ? x[i] / pivot[i] : 0;
    }
    return x;
  }
};

}  // namespace

std::vector<double> knots_for(const std::vector<double>& values) {
  constexpr std::size_t quantiles = 32;
  constexpr int cells = PlacesBetweenKnots::cells;
  double first = values.front(), last = first;
  for (const double x : values) {
    first = x < first ? x : first;
    last = x > last ? x : last;
  }
  std::vector<double> knots{first};
  if (!(last > first)) return knots;
  // Counts in equal cells; knots are where cells begin.
  const double width = (last - first) / cells, scale = cells / (last - first);
  std::array<std::size_t, cells> count{};
  for (const double x : values) {
    const double cell = scale * (x - first), within = cell > 0 ? cell : 0;
    ++count[static_cast<std::size_t>(within < cells - 1 ? within : cells - 1)];
  }
  std::size_t cell = 0, below = 0;  // values in the cells before `cell`
  const auto add_quantile = [&](double share) {
    const double wanted = share * static_cast<double>(values.size());
    while (static_cast<double>(below + count[cell]) < wanted) below += count[cell++];
    const double x = first + width * static_cast<double>(cell);
    if (x - knots.back() > 0.5 * width) knots.push_back(x);
  };
  for (const double share : {1.0 / 256, 1.0 / 128, 1.0 / 64}) add_quantile(share);
  for (std::size_t k = 1; k < quantiles; ++k) add_quantile(static_cast<double>(k) / quantiles);
  for (const double share : {1.0 / 64, 1.0 / 128, 1.0 / 256}) add_quantile(1 - share);
  knots.push_back(last);
  return knots;
}

PlacesBetweenKnots::PlacesBetweenKnots(std::vector<double> knots, const std::vector<double>& values)
    : knots_(std::move(knots)), positions_(values.size()), intervals_(values.size()) {
  const std::size_t last = knots_.size() - 1;
  constexpr std::size_t most = 255;
  GSIM_EXPECT(!knots_.empty() && last <= most);
  if (last == 0) return;
  // A table of equal cells has the interval of each cell's start; at most one knot is in a cell.
  const double first = knots_.front(), scale = cells / (knots_.back() - first);
  std::array<std::uint8_t, cells> interval_of;
  std::array<double, most + 1> starts, inverse_width;
  std::size_t k = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    while (k + 1 < last && scale * (knots_[k + 1] - first) <= static_cast<double>(cell)) ++k;
    interval_of[cell] = static_cast<std::uint8_t>(k);
  }
  for (k = 0; k < last; ++k) {
    starts[k] = knots_[k];
    inverse_width[k] = 1 / (knots_[k + 1] - knots_[k]);
  }
  starts[last] = std::numeric_limits<double>::infinity();
  const auto within = [](double x, double largest) {  // from 0 on; 0 if x is not a number
    const double y = x > 0 ? x : 0;
    return y < largest ? y : largest;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    k = interval_of[static_cast<std::size_t>(within(scale * (x - first), cells - 1))];
    k += static_cast<std::size_t>(starts[k + 1] < x);
    intervals_[i] = static_cast<std::uint8_t>(k);
    positions_[i] = within((x - starts[k]) * inverse_width[k], 1);
  }
}

PiecewiseLinearSums::PiecewiseLinearSums(const PlacesBetweenKnots& x, const std::vector<double>& y)
    : knots_(x.knots()), intervals_(x.knots().size()) {
  for (std::size_t i = 0; i < y.size(); ++i) intervals_[x.interval(i)].add(x.position(i), 1, y[i]);
}

PiecewiseLinearSums::PiecewiseLinearSums(const PlacesBetweenKnots& x, const std::vector<double>& z,
                                         const std::vector<double>& y)
    : knots_(x.knots()), intervals_(x.knots().size()) {
  for (std::size_t i = 0; i < y.size(); ++i)
    intervals_[x.interval(i)].add(x.position(i), z[i], y[i]);
}

PiecewiseLinearSums::Fit PiecewiseLinearSums::fit(std::size_t stride) const {
  const std::size_t last = knots_.size() - 1;
  const std::size_t count = (last + stride - 1) / stride + 1;
  const auto bend = [&](std::size_t k) { return knots_[std::min(k * stride, last)]; };
  // The value at a knot of the function that is 1 at bend k + 1 and 0 at bend k.
  const auto rise = [&](std::size_t knot, std::size_t k) {
    return count == 1 ? 0 : (knots_[knot] - bend(k)) / (bend(k + 1) - bend(k));
  };
  Tridiagonal equations(count);
  if (count == 1) {
    equations.diagonal[0] = intervals_[0].left;
    equations.right[0] = intervals_[0].left_y;
  }
  for (std::size_t i = 0; i < last; ++i) {
    const Interval& s = intervals_[i];
    const std::size_t k = i / stride;
    const double a = rise(i, k), b = rise(i + 1, k), c = 1 - a, d = 1 - b;
    equations.diagonal[k] += c * c * s.left + 2 * c * d * s.mixed + d * d * s.right;
    equations.above[k] += a * c * s.left + (a * d + b * c) * s.mixed + b * d * s.right;
    equations.diagonal[k + 1] += a * a * s.left + 2 * a * b * s.mixed + b * b * s.right;
    equations.right[k] += c * s.left_y + d * s.right_y;
    equations.right[k + 1] += a * s.left_y + b * s.right_y;
  }
  const std::vector<double> at_bends = equations.solve();
  Fit fit{{}, count, 0};
  for (std::size_t k = 0; k < count; ++k) fit.gain += at_bends[k] * equations.right[k];
  for (std::size_t i = 0; i <= last; ++i) {
    const std::size_t k = std::min(i / stride, count > 1 ? count - 2 : 0);
    const double w = rise(i, k);
    fit.at_knots.push_back(count == 1 ? at_bends[0] : (1 - w) * at_bends[k] + w * at_bends[k + 1]);
  }
  return fit;
}

}  // namespace gsim::pricing
