#include "kernels/pricing/exercise/basis.hpp"

#include <array>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/exercise/exercise_policy.hpp"

using namespace gsim;
using namespace gsim::pricing;

namespace {

// Probabilists' Hermite polynomials written out (Abramowitz and Stegun 1964, table 22.13).
double hermite(int n, double u) {
  switch (n) {
    case 0:
      return 1;
    case 1:
      return u;
    case 2:
      return u * u - 1;
    case 3:
      return u * u * u - 3 * u;
    case 4:
      return u * u * u * u - 6 * u * u + 3;
    default:
      return 0;
  }
}

}  // namespace

TEST_CASE("there is one function for each product of total degree up to the limit") {
  for (const Index variables : {1, 2, 3, 5})
    for (const Index degree : {1, 2, 3}) {
      const std::vector<BasisFunction> functions = basis_functions(variables, degree);
      CHECK(static_cast<Index>(functions.size()) == function_count(variables, degree));
    }
  CHECK(function_count(5, 3) == 56);
  for (Index variables = 1; variables <= max_variables; ++variables)
    CHECK(function_count(variables, default_degree(variables)) <= max_functions);
}

TEST_CASE("functions are products of Hermite polynomials, in the order of their degrees") {
  constexpr int variables = 3, degree = 4;
  const std::vector<BasisFunction> functions = basis_functions(variables, degree);
  double u[max_variables] = {0.3, -1.2, 0.7}, phi[max_functions];
  pricing_kernels::basis_functions(functions.data(), static_cast<int>(functions.size()), variables,
                                   degree, u, 2.0, phi);
  std::set<std::array<int, variables>> seen;
  int last_total = 0;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    std::array<int, variables> degrees{};
    for (std::size_t at = f; at > 0; at = static_cast<std::size_t>(functions[at].factor))
      degrees[static_cast<std::size_t>(functions[at].variable)] += functions[at].degree;
    double expected = 2;
    int total = 0;
    for (int i = 0; i < variables; ++i) {
      expected *= hermite(degrees[static_cast<std::size_t>(i)], u[i]);
      total += degrees[static_cast<std::size_t>(i)];
    }
    CHECK(phi[f] == doctest::Approx(expected).epsilon(1e-13));
    CHECK(seen.insert(degrees).second);
    CHECK(total >= last_total);
    last_total = total;
  }
}

TEST_CASE("functions of degree 2 have the same bits without a table") {
  double u[max_variables];
  for (int i = 0; i < max_variables; ++i) u[i] = 0.3 - 0.77 * i + 0.1 * i * i;
  for (Index variables = 1; variables <= max_variables; ++variables)
    for (const Index degree : {0, 1, 2})
      for (const double factor : {1.0, 0.0}) {
        const std::vector<BasisFunction> functions = basis_functions(variables, degree);
        const auto count = static_cast<int>(functions.size());
        std::vector<double> expected(functions.size()), found{factor};
        pricing_kernels::basis_functions(functions.data(), count, static_cast<int>(variables), 2, u,
                                         factor, expected.data());
        pricing_kernels::with_variables(static_cast<int>(variables), [&](auto n) {
          pricing_kernels::quadratic_functions<n.value>(count, u, factor, [&](int f, double value) {
            CHECK(f == static_cast<int>(found.size()));
            found.push_back(value);
          });
        });
        CHECK(found == expected);
      }
}
