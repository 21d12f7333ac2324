#pragma once
// Keys that several kinds of surfaces have.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/surface_kind.hpp"

namespace gsim::transport {

/// Whether a key may be left out.
enum class KeyUse { optional, required };

/// `size` numbers in `unit`; zeros where an optional key is left out.
std::vector<double> read_vector(Section& s, const char* key, const std::string& doc,
                                std::size_t size, KeyUse use, const char* unit = "cm");

/// An optional point in cm; the origin where the key is left out.
Vector3 read_point(Section& s, const char* key, const char* doc);

/// A required positive length in cm.
double read_radius(Section& s, const char* key, const char* doc);

/// The direction of a vector, of length 1, and the length of the vector.
struct AxisVector {
  Vector3 direction;
  double length = 1;
};
/// A required vector; ConfigError where its length is 0.
AxisVector read_axis(Section& s, const char* key, const char* doc);

/// The square of the tangent of a cone's half angle, from the keys half_angle (degrees) or tangent.
double read_squared_tangent(Section& s);
/// SurfaceKind::validate of cones: one of half_angle and tangent is given.
void validate_cone_angle(const Section& s, const SurfaceShape& shape);

/// The quadric |r|^2 - s (r a)^2 - k about a point of the axis a.
SurfaceShape axial_quadric(const Vector3& point, const Vector3& a, double s, double k);

/// The surface of a form other than quadric and quartic, with its parameters.
inline SurfaceShape shape_of(SurfaceForm form, const std::array<double, 6>& p) {
  return {{}, {}, form, p};
}

}  // namespace gsim::transport
