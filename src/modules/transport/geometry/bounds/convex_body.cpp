#include "src/modules/transport/geometry/bounds/convex_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gsim::transport {
namespace {

/// A point of a plane, with two of its coordinates.
struct InPlane {
  double u, v;
  Vector3 x;
};

/// The convex hull of points in the plane with normal n; corners in order around it (A. M. Andrew,
/// Inf. Process. Lett. 9 (1979) 216). With fewer than three corners the points lie on a line.
std::vector<Vector3> hull_in_plane(const std::vector<Vector3>& points, const Vector3& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  std::vector<InPlane> projected;
  projected.reserve(points.size());
  for (const Vector3& p : points) {
    if (x >= y && x >= z)
      projected.push_back({p.y, p.z, p});
    else if (y >= z)
      projected.push_back({p.x, p.z, p});
    else
      projected.push_back({p.x, p.y, p});
  }
  std::sort(projected.begin(), projected.end(),
            [](const InPlane& a, const InPlane& b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
  std::vector<InPlane> hull;
  const auto add = [&hull](const InPlane& p, std::size_t min_corners) {
    const auto turns_left = [&] {
      const InPlane &a = hull[hull.size() - 2], &b = hull.back();
      return (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u) > 0;
    };
    while (hull.size() > min_corners && !turns_left()) hull.pop_back();
    hull.push_back(p);
  };
  for (const InPlane& p : projected) add(p, 1);
  const std::size_t lower = hull.size();
  for (std::size_t i = projected.size(); i-- > 1;) add(projected[i - 1], lower);
  if (hull.size() > 1) hull.pop_back();  // it is the first corner again
  std::vector<Vector3> corners;
  corners.reserve(hull.size());
  for (const InPlane& p : hull) corners.push_back(p.x);
  return corners;
}

/// The part of a face with n x <= offset; its corners on the plane n x = offset are appended to
/// `rim`.
std::vector<Vector3> cut_face(const std::vector<Vector3>& face, const Vector3& n, double offset,
                              std::vector<Vector3>& rim) {
  std::vector<Vector3> remaining;
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vector3 &a = face[i], &b = face[(i + 1) % face.size()];
    const double here = unfused_dot(n, a) - offset, next = unfused_dot(n, b) - offset;
    if (here <= 0) remaining.push_back(a);
    if (here == 0) rim.push_back(a);
    if ((here < 0 && next > 0) || (here > 0 && next < 0)) {
      const double t = here / (here - next);
      const Vector3 x{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
      remaining.push_back(x);
      rim.push_back(x);
    }
  }
  return remaining;
}

}  // namespace

ConvexBody::ConvexBody(double half_edge) {
  const double h = half_edge;
  for (const double s : {-h, h}) {
    faces_.push_back({{s, -h, -h}, {s, h, -h}, {s, h, h}, {s, -h, h}});
    faces_.push_back({{-h, s, -h}, {h, s, -h}, {h, s, h}, {-h, s, h}});
    faces_.push_back({{-h, -h, s}, {h, -h, s}, {h, h, s}, {-h, h, s}});
  }
}

void ConvexBody::cut(const Vector3& n, double offset) {
  if (is_empty() || !(extent(n).max > offset)) return;
  std::vector<Face> remaining;
  std::vector<Vector3> rim;
  for (const Face& face : faces_) {
    Face part = cut_face(face, n, offset, rim);
    if (part.size() > 2) remaining.push_back(std::move(part));
  }
  faces_ = std::move(remaining);
  Face new_face = hull_in_plane(rim, n);
  if (new_face.size() > 2) faces_.push_back(std::move(new_face));
}

Extent ConvexBody::extent(const Vector3& n) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Extent range{infinity, -infinity};
  for (const Face& face : faces_)
    for (const Vector3& x : face) {
      const double value = unfused_dot(n, x);
      range.min = std::min(range.min, value);
      range.max = std::max(range.max, value);
    }
  return range;
}

}  // namespace gsim::transport
