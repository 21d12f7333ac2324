#include "bonded_check.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "numeric_slope.hpp"

namespace gsim::app {
namespace {

using Parameters = std::vector<double>;

std::vector<double> drawn(const md::BondedKind& kind, std::uint64_t draw) {
  Parameters values;
  for (std::size_t k = 0; k < kind.parameters.size(); ++k) {
    const auto u =
        uniforms<double>(philox_block(stream_key({1, Purpose::test}), draw, 1000 + k, 0));
    values.push_back(0.8 + 0.4 * u[0]);
  }
  return values;
}

/// Between the ends that `range` gives for parameters.
std::string slope_problem(
    const md::BondedKind& kind,
    const std::function<std::pair<double, double>(const Parameters&)>& range) {
  constexpr int steps = 40;
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const Parameters p = drawn(kind, draw);
    std::vector<double> c(static_cast<std::size_t>(kind.size));
    kind.coefficients(p.data(), c.data());
    const auto [from, to] = range(p);
    for (int k = 0; k <= steps; ++k) {
      const double x = from + (to - from) * k / steps;
      const auto energy = [&](double at) { return kind.terms(at, c.data()).energy; };
      const auto given = kind.terms(x, c.data());
      const double wanted = numeric_slope(energy, x, 1e-3 * (to - from));
      // The difference's own error is 1e-9; a wrong factor is of order 1.
      if (!(std::abs(given.slope - wanted) <
            1e-6 * (std::abs(given.slope) + std::abs(given.energy) + 1e-30)))
        return fmt::format("at {:.4g} with {:.4g} the slope is {:.8g}, and the energy's {:.8g}", x,
                           fmt::join(p, ", "), given.slope, wanted);
    }
  }
  return {};
}

}  // namespace

std::string bond_problem(const md::BondKind& kind) {
  return slope_problem(kind, [&](const Parameters& p) {
    const double longest = kind.longest(p.data());
    return std::pair(0.25 * longest, 0.95 * longest);
  });
}

std::string angle_problem(const md::AngleKind& kind) {
  return slope_problem(kind, [](const Parameters&) { return std::pair(-0.95, 0.95); });
}

}  // namespace gsim::app
