#pragma once
// Keys that several kinds of surfaces have.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/surface_kind.hpp"

namespace gsim::transport {

/// `size` numbers in `unit`; zeros where an optional key is left out.
std::vector<double> read_vector(Section& s, const char* key, const std::string& doc,
                                std::size_t size, bool is_required, const char* unit = "cm");

/// An optional point in cm; the origin where the key is left out.
Vector3 read_point(Section& s, const char* key, const char* doc);

/// A required positive length in cm.
double read_radius(Section& s, const char* key, const char* doc);

/// A vector of unit length along the direction that `key` gives, and the length of the given one.
struct AxisVector {
  Vector3 direction{0, 0, 1};
  double length = 1;
};
AxisVector read_axis(Section& s, const char* key, const char* doc);

/// The square of the tangent of a cone's half angle, from the keys half_angle (degrees) or tangent.
double read_squared_tangent(Section& s);

/// The quadric |r|^2 - s (r a)^2 - k about a point of the axis a.
SurfaceShape axial_quadric(const Vector3& point, const Vector3& a, double s, double k);

/// The shape of a form with parameters of its own.
inline SurfaceShape shape_of(SurfaceForm form, const std::array<double, 6>& p) {
  return {{}, {}, form, p};
}

}  // namespace gsim::transport
