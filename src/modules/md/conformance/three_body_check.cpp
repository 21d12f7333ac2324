#include "three_body_check.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "example_values.hpp"
#include "gsim/engine/conformance.hpp"
#include "parameter_draws.hpp"

namespace gsim::md {
namespace {

/// The parameters of the example of `kind`; without an example the defaults, or 1.
std::vector<double> three_body_parameters(const ThreeBodyKind& kind) {
  std::vector<double> defaults;
  for (const PotentialParameter& p : kind.parameters)
    defaults.push_back(std::isnan(p.default_value) ? 1.0 : p.default_value);
  std::vector<double> chosen = defaults;
  bool is_complete = false;
  read_tables_of_kind(kind.example, "triplet", kind.name, [&](Section& s) {
    for (std::size_t k = 0; k < chosen.size(); ++k)
      s.optional(kind.parameters[k].name, chosen[k], {});
    is_complete = true;
  });
  return is_complete ? chosen : defaults;
}

/// Random parameters near `base`; `base` itself for number 0 and if the random ones are not valid
/// for the kind.
std::vector<double> drawn_parameters(const ThreeBodyKind& kind, const std::vector<double>& base,
                                     std::uint64_t number, UniformSequence& draw) {
  if (number == 0) return base;
  std::vector<double> values = drawn_near(base, kind.parameters, draw);
  return kind.problem(values.data()) == nullptr ? values : base;
}

/// A value of the pair energy u or the three-body energy h, and its expected value.
struct Comparison {
  const char* what;
  double given, expected, scale;  ///< scale: the magnitude that differences are relative to
};

std::string comparison_problem(const Comparison& c, const std::vector<double>& at,
                               const std::vector<double>& parameters) {
  // The difference formula has a relative error of 1e-9; a wrong factor in a formula gives a
  // difference of order 1.
  if (std::abs(c.given - c.expected) < 1e-6 * (std::abs(c.given) + c.scale)) return {};
  return fmt::format("{} at {:.4g} with parameters {:.4g} is {:.8g}, and should be {:.8g}", c.what,
                     fmt::join(at, ", "), fmt::join(parameters, ", "), c.given, c.expected);
}

class ThreeBodyTrial {
 public:
  ThreeBodyTrial(const ThreeBodyKind& kind, const std::vector<double>& base, std::uint64_t number)
      : kind_(kind),
        draw_(number),
        p_(drawn_parameters(kind, base, number, draw_)),
        c_(static_cast<std::size_t>(kind.size)),
        cutoff_(kind.cutoff(p_.data())),
        closest_(kind.closest(p_.data())) {
    kind.coefficients(p_.data(), 1, c_.data());
  }

  std::string problem() {
    if (!(closest_ > 0 && closest_ < cutoff_))
      return fmt::format("closest() is {:.6g} and the cutoff {:.6g}", closest_, cutoff_);
    if (std::string found = cutoff_problem(); !found.empty()) return found;
    for (int i = 0; i < 20; ++i) {
      if (std::string found = pair(distance()); !found.empty()) return found;
      if (std::string found = three_body(distance(), distance(), draw_(-0.98, 0.98));
          !found.empty())
        return found;
    }
    return {};
  }

 private:
  double distance() { return draw_(1.02 * closest_, 0.95 * cutoff_); }
  double u(double r) const { return kind_.pair(r, c_.data()).energy; }
  double h(double r1, double r2, double cosine) const {
    return kind_.three_body(r1, r2, cosine, c_.data()).energy;
  }

  /// Energies and derivatives must vanish at the cutoff, where neighbour lists end.
  std::string cutoff_problem() const {
    const double r = cutoff_ * (1 - 1e-9), within = 0.5 * (closest_ + cutoff_);
    const auto at_cutoff = kind_.pair(r, c_.data());
    const auto at_closest = kind_.pair(closest_, c_.data());
    const auto h = kind_.three_body(r, within, 0.3, c_.data());
    const auto h_at_closest = kind_.three_body(closest_, closest_, 0.3, c_.data());
    for (const Comparison& c :
         {Comparison{"the pair energy", at_cutoff.energy, 0, std::abs(at_closest.energy)},
          {"the derivative of the pair energy", at_cutoff.slope, 0, std::abs(at_closest.slope)},
          {"the three-body energy", h.energy, 0, std::abs(h_at_closest.energy)},
          {"the derivative of the three-body energy with respect to r1", h.by_r1, 0,
           std::abs(h_at_closest.by_r1)}})
      if (!(std::abs(c.given) <= 1e-6 * c.scale)) return comparison_problem(c, {r}, p_);
    return {};
  }

  std::string pair(double r) const {
    const auto t = kind_.pair(r, c_.data());
    const double expected = numeric_slope([&](double x) { return u(x); }, r, 1e-3 * r);
    return comparison_problem({"du/dr", t.slope, expected, std::abs(t.energy) / r}, {r}, p_);
  }

  std::string three_body(double r1, double r2, double cosine) const {
    const auto t = kind_.three_body(r1, r2, cosine, c_.data());
    const double scale = std::abs(t.energy) + 1e-30;
    const auto by = [&](auto f, double x, double step) { return numeric_slope(f, x, step); };
    const Comparison all[] = {
        {"h with the neighbours exchanged", h(r2, r1, cosine), t.energy, scale},
        {"dh/dr1", t.by_r1, by([&](double x) { return h(x, r2, cosine); }, r1, 1e-3 * r1),
         scale / r1},
        {"dh/dr2", t.by_r2, by([&](double x) { return h(r1, x, cosine); }, r2, 1e-3 * r2),
         scale / r2},
        {"dh/dcos", t.by_cosine, by([&](double x) { return h(r1, r2, x); }, cosine, 1e-3), scale}};
    for (const Comparison& c : all)
      if (std::string found = comparison_problem(c, {r1, r2, cosine}, p_); !found.empty())
        return found;
    return {};
  }

  const ThreeBodyKind& kind_;
  UniformSequence draw_;
  std::vector<double> p_, c_;
  double cutoff_, closest_;
};

}  // namespace

std::string three_body_problem(const ThreeBodyKind& kind) {
  const std::vector<double> base = three_body_parameters(kind);
  for (std::uint64_t number = 0; number < 20; ++number)
    if (std::string problem = ThreeBodyTrial(kind, base, number).problem(); !problem.empty())
      return problem;
  return {};
}

void register_three_body_check(Registry& registry);
void register_three_body_check(Registry& registry) {
  const char* const what = "forces are minus the derivatives of the energies";
  registry.extend(ConformanceCheck{
      .module = "md",
      .name = "slopes_of_three_body_potentials",
      .doc = what,
      .kind = ThreeBodyKind::extends,
      .needs_run = false,
      .check = [what](const ConformanceSubject& subject, const ReportFinding& report) {
        report_problem(report, what,
                       [&] { return three_body_problem(subject.part_as<ThreeBodyKind>()); });
      }});
}

}  // namespace gsim::md
