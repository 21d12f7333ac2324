// The conformance check of bonds and angles whose parameters are far from 1.

#include "src/modules/md/conformance/bonded_check.hpp"

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::md;

namespace {

using md::ParameterRange;
using md::ParameterUnit;
using Terms = md_kernels::EnergyAndSlope<double>;

double power(double x, double exponent) {
  double result = 1;
  for (int k = 0; k < static_cast<int>(exponent); ++k) result *= x;
  return result;
}

const md::PotentialParameter parameters[] = {
    {"k", "stiffness", ParameterUnit::energy, ParameterRange::positive},
    {"r0", "scale", ParameterUnit::length, ParameterRange::positive},
    {"n", "exponent, a whole number", ParameterUnit::none, ParameterRange::positive}};

void coefficients(const double* p, double* c) {
  for (int k = 0; k < 3; ++k) c[k] = p[k];
}

/// U = k (x / r0)^n; the slope is correct only if n is a whole number.
Terms terms(double x, const double* c) {
  return {c[0] * power(x / c[1], c[2]), c[0] * c[2] / c[1] * power(x / c[1], c[2] - 1)};
}
/// The slope is correct only if r0 is 1.
Terms terms_without_r0(double x, const double* c) {
  return {terms(x, c).energy, terms(x, c).slope * c[1]};
}

template <class Kind>
Kind make_kind(const char* example, Terms (*function)(double, const double*) = terms) {
  Kind result;
  result.name = "stiff";
  result.parameters = parameters;
  result.size = 3;
  result.coefficients = coefficients;
  result.energy_and_slope = function;
  result.example = example;
  return result;
}

md::BondKind make_bond(const char* example, Terms (*function)(double, const double*) = terms) {
  auto result = make_kind<md::BondKind>(example, function);
  result.longest = [](const double* p) { return 1.5 * p[1]; };
  return result;
}

constexpr const char* example = R"(
module = "md"
[md]
steps = 1
[bonded]
exclude = []
[[bonded.bonds]]
name = "1"
kind = "other"
r0 = "no number"
[[bonded.bonds]]
name = "2"
kind = "stiff"
k = 450.0
r0 = 12.5
n = 4.0
[[bonded.angles]]
name = "1"
kind = "stiff"
k = 30.0
r0 = 0.5
n = 2.0
)";

}  // namespace

TEST_CASE("bonded check: slopes are checked at parameters near those of the kind's example") {
  CHECK(bond_problem(make_bond(example)) == "");
  CHECK(angle_problem(make_kind<md::AngleKind>(example)) == "");
  const std::string bonds = bond_problem(make_bond(example, terms_without_r0));
  CHECK(bonds.find("with parameters 450, 12.5, 4 the slope is") != std::string::npos);
  const std::string angles = angle_problem(make_kind<md::AngleKind>(example, terms_without_r0));
  CHECK(angles.find("with parameters 30, 0.5, 2 the slope is") != std::string::npos);
}

TEST_CASE(
    "bonded check: without a readable example parameters are near 1, and wrong slopes are still "
    "found") {
  for (const char* bad_example :
       {"", "no toml", "[bonded]\nbonds = [{kind = \"stiff\", k = \"x\"}]\n"}) {
    CAPTURE(bad_example);
    CHECK(bond_problem(make_bond(bad_example)) == "");
    CHECK(bond_problem(make_bond(bad_example, terms_without_r0)).find("the slope is") !=
          std::string::npos);
  }
}
