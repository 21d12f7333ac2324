#include "pair_potential_check.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "example_values.hpp"
#include "gsim/engine/conformance.hpp"
#include "parameter_draws.hpp"

namespace gsim::md {
namespace {

/// The parameters with which a potential is checked.
struct PairChoice {
  std::vector<double> parameters;
  double cutoff = 2.6;
  double inner = 0;    ///< distance where XPLOR smoothing begins
  double closest = 0;  ///< 0: the closest distance of the kind
};

/// The parameters in [[pair.potential]] of the example; 1 for those that it does not give, since no
/// other scale is known.
std::vector<PairChoice> example_choices(const PotentialKind& kind) {
  std::vector<PairChoice> found;
  read_tables_of_kind(kind.example, "pair", "potential", kind.name,
                      [&](Section& pair, Section& entry) {
                        PairChoice c{std::vector<double>(kind.parameters.size(), 1.0)};
                        for (std::size_t k = 0; k < c.parameters.size(); ++k)
                          entry.optional(kind.parameters[k].name, c.parameters[k], {});
                        pair.optional("cutoff", c.cutoff, {});
                        entry.optional("cutoff", c.cutoff, {});
                        entry.optional("inner", c.inner, {});
                        entry.optional("closest", c.closest, {});
                        found.push_back(std::move(c));
                      });
  if (found.empty()) found.push_back({std::vector<double>(kind.parameters.size(), 1.0)});
  for (PairChoice& c : found)
    if (!(c.inner > 0)) c.inner = 0.8 * c.cutoff;
  return found;
}

/// The interval on which the functions are compared.
struct Distances {
  double from, to;
  bool is_empty() const { return !(from < to); }
};

Distances distances(const PotentialKind& kind, const PairChoice& c) {
  const double default_closest = kind.closest(c.parameters.data(), c.cutoff);
  const double closest = c.closest > 0 ? c.closest : default_closest;
  // A potential without a closest distance is checked at distances where its values have the same
  // order of magnitude.
  return {1.02 * (closest > 0 ? closest : 0.2 * c.cutoff), 0.98 * c.cutoff};
}

/// `base` with each number changed randomly by up to a tenth; unchanged if atoms would then
/// overlap at the cutoff.
PairChoice drawn_choice(const PotentialKind& kind, const PairChoice& base, std::uint64_t draw) {
  UniformSequence draws(draw);
  PairChoice c = base;
  c.parameters = drawn_near(base.parameters, kind.parameters, draws);
  const double factor = 1 + draws(-0.1, 0.1);
  c.cutoff *= factor;
  c.inner *= factor;
  return distances(kind, c).is_empty() ? base : c;
}

/// Energy and force of a potential with coefficients, as functions of the distance.
struct PairFunctions {
  PotentialKind::Function force_function, energy_function;
  std::vector<double> coefficients;

  double energy(double r) const { return energy_function(r * r, coefficients.data(), nullptr); }
  double slope(double r) const { return -force_function(r * r, coefficients.data(), nullptr) * r; }

  std::string problem(double r, const PairChoice& c) const {
    const double given = slope(r);
    const double expected = numeric_slope([this](double x) { return energy(x); }, r, 2e-3 * r);
    // The difference formula has a relative error of 1e-9 for a twelfth power; a wrong factor in a
    // formula gives a difference of order 1.
    const double scale = std::fabs(given) + std::fabs(energy(r)) / r + 1e-30;
    if (std::fabs(given - expected) < 1e-6 * scale) return {};
    return fmt::format(
        "at r = {:.4g} with parameters {:.4g} the force is {:.8g}, but the derivative of the "
        "energy "
        "is {:.8g}",
        r, fmt::join(c.parameters, ", "), -given, expected);
  }
};

std::string problem_of_choice(const PotentialKind& kind, const PairChoice& c) {
  const Distances range = distances(kind, c);
  if (range.is_empty())
    return fmt::format(
        "with parameters {:.4g} atoms overlap below {:.6g}, but the cutoff is {:.6g}",
        fmt::join(c.parameters, ", "), range.from / 1.02, c.cutoff);
  PairFunctions bare{kind.force, kind.energy,
                     std::vector<double>(static_cast<std::size_t>(kind.size))};
  kind.coefficients(c.parameters.data(), 1, bare.coefficients.data());
  PairFunctions smooth{kind.smoothed_force, kind.smoothed_energy,
                       std::vector<double>(smoothed_coefficients)};
  if (kind.can_be_smoothed) kind.smoothing(c.cutoff, c.inner, 0, smooth.coefficients.data());
  smooth.coefficients.insert(smooth.coefficients.end(), bare.coefficients.begin(),
                             bare.coefficients.end());
  constexpr int steps = 40;
  for (int i = 0; i <= steps; ++i) {
    const double r = range.from + (range.to - range.from) * i / steps;
    if (std::string found = bare.problem(r, c); !found.empty()) return found;
    const bool is_near_inner =
        std::fabs(r - c.inner) < 0.015 * r;  // the second derivative is discontinuous at c.inner
    if (!kind.can_be_smoothed || is_near_inner) continue;
    if (std::string found = smooth.problem(r, c); !found.empty()) return "with smoothing, " + found;
  }
  return {};
}

}  // namespace

std::string pair_slope_problem(const PotentialKind& kind) {
  const std::vector<PairChoice> examples = example_choices(kind);
  for (const PairChoice& c : examples)
    if (std::string found = problem_of_choice(kind, c); !found.empty()) return found;
  for (std::uint64_t draw = 0; draw < 20; ++draw) {
    const PairChoice c = drawn_choice(kind, examples[draw % examples.size()], draw);
    if (std::string found = problem_of_choice(kind, c); !found.empty()) return found;
  }
  return {};
}

void register_pair_potential_check(Registry& registry);
void register_pair_potential_check(Registry& registry) {
  const char* const what = "the force is minus the derivative of the energy";
  registry.extend(ConformanceCheck{
      .module = "md",
      .name = "slopes_of_pair_potentials",
      .doc = what,
      .kind = PotentialKind::extends,
      .needs_run = false,
      .check = [what](const ConformanceSubject& subject, const ReportFinding& report) {
        report_problem(report, what,
                       [&] { return pair_slope_problem(subject.part_as<PotentialKind>()); });
      }});
}

}  // namespace gsim::md
