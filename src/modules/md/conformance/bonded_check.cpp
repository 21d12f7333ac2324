#include "bonded_check.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "example_values.hpp"
#include "gsim/engine/conformance.hpp"
#include "parameter_draws.hpp"

namespace gsim::md {
namespace {

using Parameters = std::vector<double>;

/// The parameters in [[bonded.KEY]] of the example of `kind`. Parameters that the example does not
/// give are 1, since no default or other scale is known.
std::vector<Parameters> example_parameters(const BondedKind& kind, const char* key) {
  std::vector<Parameters> found;
  read_tables_of_kind(kind.example, "bonded", key, kind.name, [&](Section&, Section& entry) {
    Parameters p(kind.parameters.size(), 1.0);
    for (std::size_t k = 0; k < p.size(); ++k) entry.optional(kind.parameters[k].name, p[k], {});
    found.push_back(std::move(p));
  });
  if (found.empty()) found.emplace_back(kind.parameters.size(), 1.0);
  return found;
}

/// Compares slope and energy on the interval that `range` returns for the parameters.
std::string bonded_slope_problem(
    const BondedKind& kind, const char* key,
    const std::function<std::pair<double, double>(const Parameters&)>& range) {
  constexpr int steps = 40;
  const std::vector<Parameters> all = example_parameters(kind, key);
  for (std::uint64_t draw = 0; draw < 20 + all.size(); ++draw) {
    UniformSequence draws(draw);
    const Parameters& base = all[draw % all.size()];
    const Parameters p = draw < all.size() ? base : drawn_near(base, kind.parameters, draws);
    std::vector<double> c(static_cast<std::size_t>(kind.size));
    kind.coefficients(p.data(), c.data());
    const auto [from, to] = range(p);
    for (int k = 0; k <= steps; ++k) {
      const double x = from + (to - from) * k / steps;
      const auto energy = [&](double at) { return kind.energy_and_slope(at, c.data()).energy; };
      const auto given = kind.energy_and_slope(x, c.data());
      const double step = 1e-3 * (to - from);
      const double expected = numeric_slope(energy, x, step);
      // The difference formula has an error of 1e-9 of the energies; a wrong factor in a formula
      // gives a difference of order 1.
      const double energies = std::abs(energy(x - 4 * step)) + std::abs(energy(x + 4 * step));
      if (!(std::abs(given.slope - expected) <
            1e-6 * (std::abs(given.slope) + energies / (to - from) + 1e-30)))
        return fmt::format(
            "at {:.4g} with parameters {:.4g} the slope is {:.8g}, but the derivative of the "
            "energy "
            "is {:.8g}",
            x, fmt::join(p, ", "), given.slope, expected);
    }
  }
  return {};
}

}  // namespace

std::string bond_problem(const BondKind& kind) {
  return bonded_slope_problem(kind, "bonds", [&](const Parameters& p) {
    const double longest = kind.longest(p.data());
    return std::pair(0.25 * longest, 0.95 * longest);
  });
}

std::string angle_problem(const AngleKind& kind) {
  return bonded_slope_problem(kind, "angles",
                              [](const Parameters&) { return std::pair(-0.95, 0.95); });
}

void register_bonded_check(Registry& registry);
void register_bonded_check(Registry& registry) {
  const char* const what = "the force is minus the derivative of the energy";
  registry.extend(ConformanceCheck{
      .module = "md",
      .name = "slopes_of_bonds",
      .doc = what,
      .kind = BondKind::extends,
      .needs_run = false,
      .check = [what](const ConformanceSubject& subject, const ReportFinding& report) {
        report_problem(report, what, [&] { return bond_problem(subject.part_as<BondKind>()); });
      }});
  registry.extend(ConformanceCheck{
      .module = "md",
      .name = "slopes_of_angles",
      .doc = what,
      .kind = AngleKind::extends,
      .needs_run = false,
      .check = [what](const ConformanceSubject& subject, const ReportFinding& report) {
        report_problem(report, what, [&] { return angle_problem(subject.part_as<AngleKind>()); });
      }});
}

}  // namespace gsim::md
