// The conformance checks of pair and three-body potentials find wrong forces, and test with
// parameters near those of the example.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "src/modules/md/conformance/pair_potential_check.hpp"
#include "src/modules/md/conformance/three_body_check.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using md::ParameterRange;
using md::ParameterUnit;

const md::PotentialParameter parameters[] = {
    {"epsilon", "depth", ParameterUnit::energy, ParameterRange::positive},
    {"sigma", "diameter", ParameterUnit::length, ParameterRange::positive},
    {"n", "exponent of the repulsion", ParameterUnit::none, ParameterRange::positive},
    {"m", "exponent of the attraction", ParameterUnit::none, ParameterRange::positive}};

/// Correct forces. The classes derived from it introduce a fault each.
struct NoFault {
  static double force(double f, const double*) { return f; }
  static double smoothed(double f) { return f; }
};
struct WrongFactor : NoFault {
  static double force(double f, const double*) { return 2 * f; }
};
/// Wrong only if the exponent n is at least 12, as in the example.
struct WrongForLargeExponent : NoFault {
  static double force(double f, const double* c) { return c[2] >= 12 ? 1.001 * f : f; }
};
struct WrongForLargeDiameter : NoFault {
  static double force(double f, const double* c) { return c[1] > 3 ? 1.001 * f : f; }
};
struct WrongWhereSmoothed : NoFault {
  static double smoothed(double f) { return 1.001 * f; }
};

template <class Fault>
struct Mie {
  static constexpr char name[] = "mie", doc[] = "Mie";
  static constexpr int size = 4;
  static double power(double r2, double s, double n) { return std::pow(s * s / r2, n / 2); }
  static double energy(double r2, const double* c, const double*) {
    return c[0] * (power(r2, c[1], c[2]) - power(r2, c[1], c[3]));
  }
  static double force(double r2, const double* c, const double*) {
    const double f = c[0] * (c[2] * power(r2, c[1], c[2]) - c[3] * power(r2, c[1], c[3])) / r2;
    return Fault::force(f, c);
  }
};

template <class Fault>
md::PotentialKind mie(const char* example) {
  md::PotentialKind kind;
  kind.name = "mie";
  kind.parameters = parameters;
  kind.size = 4;
  kind.coefficients = [](const double* p, double scale, double* c) {
    c[0] = scale * p[0];
    for (int k = 1; k < 4; ++k) c[k] = p[k];
  };
  kind.closest = [](const double* p, double) { return 0.7 * p[1]; };
  kind.energy = Mie<Fault>::energy;
  kind.force = Mie<Fault>::force;
  // This smoothing modifies neither energy nor force, like force_shift where the force is 0 at the
  // cutoff.
  kind.can_be_smoothed = true;
  kind.smoothing = [](double, double, double, double* c) {
    for (int k = 0; k < md::smoothed_coefficients; ++k) c[k] = 0;
  };
  kind.smoothed_energy = [](double r2, const double* c, const double* data) {
    return Mie<Fault>::energy(r2, c + md::smoothed_coefficients, data);
  };
  kind.smoothed_force = [](double r2, const double* c, const double* data) {
    return Fault::smoothed(Mie<Fault>::force(r2, c + md::smoothed_coefficients, data));
  };
  kind.example = example;
  return kind;
}

constexpr const char* argon_example = R"(
module = "md"
units = "metal"
[pair]
cutoff = 8.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
[[pair.potential]]
types = ["A", "A"]
kind = "mie"
epsilon = 0.0104
sigma = 3.4
n = 12.0
m = 6.0
[[pair.potential]]
types = ["A", "B"]
kind = "mie"
epsilon = 0.0104
sigma = 2.0
n = 9.0
m = 6.0
cutoff = 5.0
smoothing = "xplor"
inner = 4.0
)";

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// The faulty part of three_body().
enum class Fault { none, pair, by_r1, by_r2, by_cosine, symmetry, cutoff };

/// A pair energy k (3 - r)^2 and a three-body energy k (3 - r1)^2 (3 - r2)^2 (cos + 1)^2, which
/// vanish at distance 3, with the error given by `fault`.
template <Fault fault>
md::ThreeBodyKind three_body() {
  static const md::PotentialParameter three_body_parameters[] = {
      {"k", "strength", ParameterUnit::energy, ParameterRange::positive, 2.5}};
  md::ThreeBodyKind kind;
  kind.name = "bend";
  kind.parameters = three_body_parameters;
  kind.size = 1;
  kind.problem = [](const double*) -> const char* { return nullptr; };
  kind.coefficients = [](const double* p, double scale, double* c) { c[0] = scale * p[0]; };
  kind.cutoff = [](const double*) { return fault == Fault::cutoff ? 2.9 : 3.0; };
  kind.closest = [](const double*) { return 0.5; };
  kind.pair = [](double r, const double* c) {
    const double s = 3 - r;
    return md_kernels::PairTerms<double>{c[0] * s * s, (fault == Fault::pair ? -1 : -2) * c[0] * s};
  };
  kind.three_body = [](double r1, double r2, double cosine, const double* c) {
    const double s1 = 3 - r1, s2 = (3 - r2) * (fault == Fault::symmetry ? 3 - r2 : 1);
    const double bend = cosine + 1, radial = c[0] * s1 * s1 * s2 * s2, square = bend * bend;
    const double r2_exponent = fault == Fault::symmetry ? 4 : 2;
    return md_kernels::ThreeBodyTerms<double>{
        radial * square, (fault == Fault::by_r1 ? -1 : -2) * radial * square / s1,
        (fault == Fault::by_r2 ? -1 : -r2_exponent) * radial * square / (3 - r2),
        (fault == Fault::by_cosine ? 1 : 2) * radial * bend};
  };
  return kind;
}

}  // namespace

TEST_CASE("pair potential check: correct forces pass, with or without an example") {
  CHECK(pair_slope_problem(mie<NoFault>(argon_example)) == "");
  CHECK(pair_slope_problem(mie<NoFault>("")) == "");
  CHECK(pair_slope_problem(mie<NoFault>("no toml")) == "");
}

TEST_CASE("pair potential check: a wrong force is found, with plain and with smoothed truncation") {
  for (const char* example : {argon_example, ""}) {
    CHECK(contains(pair_slope_problem(mie<WrongFactor>(example)), "the force is"));
    CHECK(
        contains(pair_slope_problem(mie<WrongWhereSmoothed>(example)), "with smoothing, at r = "));
  }
}

TEST_CASE("pair potential check: parameters and cutoffs are near those of the example") {
  const std::string problem = pair_slope_problem(mie<WrongForLargeExponent>(argon_example));
  CHECK(contains(problem, "with parameters 0.0104, 3.4, 12, 6 the force is"));
  CHECK(contains(pair_slope_problem(mie<WrongForLargeDiameter>(argon_example)),
                 "with parameters 0.0104, 3.4, 12, 6"));
  CHECK(pair_slope_problem(mie<WrongForLargeExponent>("")) ==
        "");  // without an example, parameters are near 1
  md::PotentialKind overlapping = mie<NoFault>(argon_example);
  overlapping.closest = [](const double* p, double) { return 3 * p[1]; };
  CHECK(
      contains(pair_slope_problem(overlapping), "atoms overlap below 10.2, but the cutoff is 8.5"));
}

TEST_CASE(
    "three-body check: wrong derivatives, asymmetry and a discontinuity at the cutoff are found") {
  CHECK(three_body_problem(three_body<Fault::none>()) == "");
  CHECK(contains(three_body_problem(three_body<Fault::pair>()), "du/dr at"));
  CHECK(contains(three_body_problem(three_body<Fault::by_r1>()), "dh/dr1 at"));
  CHECK(contains(three_body_problem(three_body<Fault::by_r2>()), "dh/dr2 at"));
  CHECK(contains(three_body_problem(three_body<Fault::by_cosine>()), "dh/dcos at"));
  CHECK(contains(three_body_problem(three_body<Fault::symmetry>()), "neighbours exchanged"));
  CHECK(contains(three_body_problem(three_body<Fault::cutoff>()), "the pair energy at"));
}

TEST_CASE("three-body check: parameters are near those of the example, or else the defaults") {
  md::ThreeBodyKind kind = three_body<Fault::pair>();
  CHECK(contains(three_body_problem(kind), "with parameters 2.5 is"));
  kind.example = "module = \"md\"\n[triplet]\nkind = \"bend\"\nk = 40.0\n";
  CHECK(contains(three_body_problem(kind), "with parameters 40 is"));
}
