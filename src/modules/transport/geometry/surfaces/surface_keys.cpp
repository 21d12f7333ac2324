#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

#include <cmath>

#include "gsim/math/trig.hpp"

namespace gsim::transport {

std::vector<double> read_vector(Section& s, const char* key, const std::string& doc,
                                std::size_t size, KeyUse use, const char* unit) {
  std::vector<double> v(size, 0.0);
  const auto n = static_cast<Index>(size);
  const KeyInfo info{.doc = doc, .unit = unit, .min_size = n, .max_size = n};
  if (use == KeyUse::required)
    s.required(key, v, info);
  else
    s.optional(key, v, info);
  return v;
}

Vector3 read_point(Section& s, const char* key, const char* doc) {
  const auto v = read_vector(s, key, doc, 3, KeyUse::optional);
  return {v[0], v[1], v[2]};
}

double read_radius(Section& s, const char* key, const char* doc) {
  double radius = 1;
  s.required(key, radius, {.doc = doc, .unit = "cm", .minimum = 0, .exclusive_minimum = true});
  return radius;
}

AxisVector read_axis(Section& s, const char* key, const char* doc) {
  std::array<double, 3> v{0, 0, 1};
  s.required(key, v, {.doc = doc});
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 0)) s.fail(key, "this vector has no length", "give one that is not zero");
  return {{v[0] / length, v[1] / length, v[2] / length}, length};
}

double read_squared_tangent(Section& s) {
  double angle = -1, tangent = -1;
  s.optional("half_angle", angle,
             {.doc = "angle between axis and surface, in place of tangent",
              .unit = "degrees",
              .minimum = 0,
              .maximum = 90,
              .exclusive_minimum = true,
              .exclusive_maximum = true});
  s.optional("tangent", tangent,
             {.doc = "tangent of the half angle, in place of half_angle",
              .minimum = 0,
              .exclusive_minimum = true});
  if (tangent > 0) return tangent * tangent;
  const auto turn = sincospi<Strict>(angle / 180);
  return turn.sin * turn.sin / (turn.cos * turn.cos);
}

void validate_cone_angle(const Section& s, const SurfaceShape&) {
  if (s.has("half_angle") == s.has("tangent"))
    s.fail(s.has("tangent") ? "tangent" : "kind", "a cone has either a half_angle or a tangent",
           "give one of them");
}

SurfaceShape axial_quadric(const Vector3& point, const Vector3& a, double s, double k) {
  SurfaceShape shape{point, {}};
  shape.f.set_coefficient(2, 0, 0, 1 - s * a.x * a.x);
  shape.f.set_coefficient(0, 2, 0, 1 - s * a.y * a.y);
  shape.f.set_coefficient(0, 0, 2, 1 - s * a.z * a.z);
  shape.f.set_coefficient(1, 1, 0, -2 * s * a.x * a.y);
  shape.f.set_coefficient(0, 1, 1, -2 * s * a.y * a.z);
  shape.f.set_coefficient(1, 0, 1, -2 * s * a.x * a.z);
  shape.f.set_coefficient(0, 0, 0, -k);
  return shape;
}

}  // namespace gsim::transport
