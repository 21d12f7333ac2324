#include <algorithm>
#include <cmath>

#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

Polynomial power_of(const Polynomial& base, double exponent) {
  Polynomial result = 1;
  for (int i = 0; i < static_cast<int>(exponent); ++i) result = result * base;
  return result;
}

SurfaceShape describe_polynomial(Section& s) {
  const Vector3 centre = read_point(s, "center", "origin of x, y, z in the terms");
  std::vector<std::vector<double>> terms;
  s.required("terms", terms,
             {.doc = "terms c x^i y^j z^k of the polynomial that is 0 on the surface, each as "
                     "[i, j, k, c] with i + j + k <= 4",
              .min_size = 1});
  const auto [x, y, z] = coordinates();
  Polynomial sum;
  for (const auto& term : terms) {
    const bool has_valid_powers =
        term.size() == 4 && std::all_of(term.begin(), term.end() - 1, [](double n) {
          return n >= 0 && n <= Polynomial::largest_degree && n == std::floor(n);
        });
    if (!has_valid_powers || term[0] + term[1] + term[2] > Polynomial::largest_degree)
      s.fail("terms", "a term is not of the form [i, j, k, c]",
             "i, j and k are the powers of x, y, z: whole numbers whose sum is 4 at most");
    sum += term[3] * power_of(x, term[0]) * power_of(y, term[1]) * power_of(z, term[2]);
  }
  return {centre, sum};
}

}  // namespace

void register_polynomial_surface(Registry& registry) {
  registry.extend(SurfaceKind{"polynomial",
                              "a surface up to the fourth order, positive where its polynomial is",
                              describe_polynomial});
}

}  // namespace gsim::transport
