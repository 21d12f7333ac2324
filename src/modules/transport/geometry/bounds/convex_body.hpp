#pragma once
// A bounded convex polyhedron, given by its faces, from which planes cut parts. It serves to
// compute bounding boxes.

#include <vector>

#include "gsim/math/vector3.hpp"

namespace gsim::transport {

/// The range of a quantity; `min` is above `max` where the range is empty.
struct Extent {
  double min = 0, max = 0;
};

/// The scalar product with rounded products and sums, in place of the fused operations of kernels.
inline double unfused_dot(const Vector3& a, const Vector3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

class ConvexBody {
 public:
  /// The cube |x|, |y|, |z| <= half_edge, in cm.
  explicit ConvexBody(double half_edge);

  /// Keeps the part with n x <= offset; n need not have unit length, but must not be zero.
  void cut(const Vector3& n, double offset);
  void clear() { faces_.clear(); }
  bool is_empty() const { return faces_.empty(); }
  /// The range of n x over the body.
  Extent extent(const Vector3& n) const;

 private:
  using Face = std::vector<Vector3>;  ///< corners, in order around the face
  std::vector<Face> faces_;
};

}  // namespace gsim::transport
