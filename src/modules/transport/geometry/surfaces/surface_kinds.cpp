#include "src/modules/transport/geometry/surfaces/surface_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::transport {
namespace {

Vector3 read_centre(Section& s, const char* doc) {
  std::vector<double> centre{0, 0, 0};
  s.optional("center", centre, {.doc = doc, .unit = "cm", .min_size = 3, .max_size = 3});
  return {centre[0], centre[1], centre[2]};
}

SurfaceShape describe_ellipsoid(Section& s) {
  const Vector3 centre = read_centre(s, "of the ellipsoid");
  std::vector<double> radii{1, 1, 1};
  s.required("radii", radii,
             {.doc = "half axes along x, y, z",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 3,
              .max_size = 3});
  const auto [x, y, z] = coordinates();
  const auto squared = [&](std::size_t axis, const Polynomial& along) {
    return along * along * (radii[0] / radii[axis]) * (radii[0] / radii[axis]);
  };
  return {centre, squared(0, x) + squared(1, y) + squared(2, z) - radii[0] * radii[0]};
}

Polynomial power(const Polynomial& base, double exponent) {
  Polynomial result = 1;
  for (int i = 0; i < static_cast<int>(exponent); ++i) result = result * base;
  return result;
}

SurfaceShape describe_polynomial(Section& s) {
  const Vector3 centre = read_centre(s, "that x, y, z are counted from");
  std::vector<std::vector<double>> terms;
  s.required(
      "terms", terms,
      {.doc = "[i, j, k, c] for each term c x^i y^j z^k, with i + j + k <= 4; their sum is 0 "
              "on the surface",
       .min_size = 1});
  const auto [x, y, z] = coordinates();
  Polynomial sum;
  for (const auto& term : terms) {
    if (s.describing()) break;
    const bool is_whole =
        term.size() == 4 && std::all_of(term.begin(), term.end() - 1, [](double n) {
          return n >= 0 && n <= Polynomial::largest_degree && n == std::floor(n);
        });
    if (!is_whole || term[0] + term[1] + term[2] > Polynomial::largest_degree)
      s.fail("terms", "a term is not of the form [i, j, k, c]",
             "i, j and k are powers of x, y, z, whole numbers of 4 together at most");
    sum += term[3] * power(x, term[0]) * power(y, term[1]) * power(z, term[2]);
  }
  return {centre, sum};
}

constexpr SurfaceKind kinds[] = {
    {"ellipsoid", "with half axes along x, y, z; positive outside", describe_ellipsoid},
    {"polynomial", "any surface up to fourth order", describe_polynomial}};

}  // namespace

std::span<const SurfaceKind> own_surface_kinds() { return kinds; }

}  // namespace gsim::transport
