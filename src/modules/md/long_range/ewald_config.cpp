#include "src/modules/md/long_range/ewald_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/math/exp.hpp"

namespace gsim::md {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double root_half = 0.70710678118654752440;

/// The argument between low and high at which a decreasing function equals `target`, by bisection.
template <class Function>
double solve_decreasing(double low, double high, double target, const Function& function) {
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (function(middle) > target ? low : high) = middle;
  }
  return high;
}

void check(const EwaldConfig& c, const Box& box, const ChargeSums& charges, double cutoff) {
  for (int axis = 0; axis < 3; ++axis)
    GSIM_VALIDATE(box.boundary(axis) == Boundary::periodic,
                  fmt::format("Ewald's sum needs a periodic box, and axis {} is open", "xyz"[axis]),
                  "make all boundaries periodic, or choose another method in [coulomb]");
  GSIM_VALIDATE(cutoff > 0, "Ewald's sum needs a cutoff > 0 for its pairs",
                "give [coulomb] cutoff");
  GSIM_VALIDATE(charges.largest > 0, "Ewald's sum: no atom has a charge",
                "give charges, or leave [coulomb] out");
  GSIM_VALIDATE(c.accuracy >= 1e-13,
                fmt::format("Ewald's sum cannot have an accuracy of {}", c.accuracy),
                "give 1e-13 or more");
}

double choose_alpha(const EwaldConfig& c, const Box& box, double cutoff, const ChargeSums& charges,
                    double coulomb, double target) {
  if (c.alpha > 0) return c.alpha;
  // For smaller alpha pairs at the cutoff are hardly screened; for larger alpha almost completely.
  return solve_decreasing(1 / cutoff, 8 / cutoff, target, [&](double alpha) {
    return ewald_pair_error(box, charges, coulomb, alpha, cutoff);
  });
}

/// The largest |k| below which all k-vectors are in the sum.
double choose_k_cutoff(const EwaldConfig& c, const Box& box, const ChargeSums& charges,
                       double coulomb, double alpha, double target) {
  double lowest = HUGE_VAL, highest = 0;
  for (int a = 0; a < 3; ++a) {
    const double first = 2 * pi / box.width(a);
    if (!c.k_max.empty())
      lowest = std::min(lowest, first * static_cast<double>(c.k_max[static_cast<std::size_t>(a)]));
    highest = std::max(highest, first);
  }
  if (!c.k_max.empty()) return lowest;
  if (c.k_cutoff > 0) return c.k_cutoff;
  const double k = solve_decreasing(1e-3 * alpha, 20 * alpha, target, [&](double k_cutoff) {
    return ewald_reciprocal_error(box, charges, coulomb, alpha, k_cutoff);
  });
  return std::max(k, highest);  // at least the first k-vector along every axis
}

KVectorRange range_for(const EwaldConfig& c, const Box& box, double k_cutoff) {
  if (c.k_max.empty()) return KVectorRange::sphere(box, k_cutoff);
  return KVectorRange::ellipsoid(
      {static_cast<int>(c.k_max[0]), static_cast<int>(c.k_max[1]), static_cast<int>(c.k_max[2])});
}

}  // namespace

// J. Kolafa and J. W. Perram, Mol. Simul. 9 (1992) 351, for charges at random positions.
double ewald_pair_error(const Box& box, const ChargeSums& charges, double coulomb, double alpha,
                        double cutoff) {
  const double x = alpha * cutoff;
  return 2 * coulomb * charges.squares * exp<Strict>(-x * x) /
         std::sqrt(static_cast<double>(charges.atoms) * cutoff * box.volume());
}

// Kolafa and Perram's estimate, with 2 pi K / L = k in their formula for a cube of edge L.
double ewald_reciprocal_error(const Box& box, const ChargeSums& charges, double coulomb,
                              double alpha, double k_cutoff) {
  const double x = k_cutoff / (2 * alpha);
  return coulomb * charges.squares * alpha * exp<Strict>(-x * x) *
         std::sqrt(8 / (static_cast<double>(charges.atoms) * box.volume() * k_cutoff));
}

void describe_ewald(Section& s, EwaldConfig& c) {
  s.optional("accuracy", c.accuracy,
             {.doc = "root mean square error of forces, relative to the force between two unit "
                     "charges at unit distance; determines alpha and the k-vectors",
              .minimum = 1e-13,
              .maximum = 0.1});
  s.optional(
      "alpha", c.alpha,
      {.doc = "splitting parameter: pairs within the cutoff interact by erfc(alpha r) / r, the "
              "rest is the sum over k-vectors (0: chosen from the accuracy and the cutoff)",
       .unit = "1/length",
       .minimum = 0});
  s.optional(
      "k_cutoff", c.k_cutoff,
      {.doc = "largest |k| of the sum (0: chosen from the accuracy); not together with k_max",
       .unit = "1/length",
       .minimum = 0});
  s.optional("k_max", c.k_max,
             {.doc = "largest components of the k-vectors, in units of the reciprocal box vectors; "
                     "the sum contains those within this ellipsoid",
              .minimum = 1,
              .maximum = 1000});
}

void validate_ewald(const Section& s, const EwaldConfig& c) {
  if (!c.k_max.empty() && c.k_max.size() != 3)
    s.fail("k_max", fmt::format("{} numbers for three box vectors", c.k_max.size()), "give three");
  if (!c.k_max.empty() && c.k_cutoff > 0)
    s.fail("k_max", "the k-vectors are limited twice", "give either k_cutoff or k_max");
}

EwaldChoice choose_ewald(const EwaldConfig& config, const Box& box, double cutoff,
                         const ChargeSums& charges, double coulomb) {
  check(config, box, charges, cutoff);
  // The two errors are independent, and each may be half of the mean square error.
  const double target = config.accuracy * coulomb * root_half;
  EwaldChoice choice;
  choice.parameters.coulomb = coulomb;
  const double alpha = choose_alpha(config, box, cutoff, charges, coulomb, target);
  choice.parameters.alpha = alpha;
  const double k_cutoff = choose_k_cutoff(config, box, charges, coulomb, alpha, target);
  choice.parameters.range = range_for(config, box, k_cutoff);
  choice.pair_error = ewald_pair_error(box, charges, coulomb, alpha, cutoff);
  choice.reciprocal_error = ewald_reciprocal_error(box, charges, coulomb, alpha, k_cutoff);
  return choice;
}

std::vector<std::string> ewald_notes(const EwaldChoice& choice) {
  const EwaldParameters& p = choice.parameters;
  std::vector<std::string> notes;
  notes.push_back(fmt::format(
      "Ewald sum: alpha {:.6g}, {} k-vectors up to ({}, {}, {}); estimated error of a force, "
      "relative to the force between unit charges at unit distance: {:.1e} (pairs), {:.1e} "
      "(k-vectors)",
      p.alpha, KVectorSet(p.range).size(), p.range.max_n[0], p.range.max_n[1], p.range.max_n[2],
      choice.pair_error / p.coulomb, choice.reciprocal_error / p.coulomb));
  return notes;
}

std::string charge_warning(const ChargeSums& charges, std::string_view unit) {
  if (charges.is_neutral()) return {};
  return fmt::format(
      "the charges add up to {:.6g}{}{}, not to 0; Ewald's sum adds a uniform background that "
      "neutralises them and contributes to energies and pressures",
      charges.total, unit.empty() ? "" : " ", unit);
}

}  // namespace gsim::md
