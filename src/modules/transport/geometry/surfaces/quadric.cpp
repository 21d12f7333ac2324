#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

SurfaceShape describe_quadric(Section& s) {
  const auto c =
      read_vector(s, "coefficients",
                  "coefficients A, B, C, D, E, F, G, H, J, K of A x^2 + B y^2 + C z^2 + D x "
                  "y + E y z + F x z + G x + H y + J z + K = 0",
                  10, KeyUse::required, "");
  constexpr int powers[10][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {0, 1, 1},
                                 {1, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  SurfaceShape shape;
  for (std::size_t i = 0; i < c.size(); ++i)
    shape.f.set_coefficient(powers[i][0], powers[i][1], powers[i][2], c[i]);
  return shape;
}

void validate_quadric(const Section& s, const SurfaceShape& shape) {
  if (shape.f.degree() == 0)
    s.fail("coefficients", "this is no surface: all but the last coefficient are zero");
}

}  // namespace

void register_quadric(Registry& registry) {
  registry.extend(
      SurfaceKind{"quadric", "a surface of second order", describe_quadric, validate_quadric});
}

}  // namespace gsim::transport
