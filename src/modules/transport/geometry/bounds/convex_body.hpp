#pragma once
// A bounded convex body as its faces, cut smaller by planes: what bounds are found with.

#include <vector>

#include "gsim/transport/vector3.hpp"

namespace gsim::transport {

/// Least and most of a quantity; `least` above `most` where there is nothing.
struct Extent {
  double least = 0, most = 0;
};

class ConvexBody {
 public:
  /// The cube |x|, |y|, |z| <= half_edge, in cm.
  explicit ConvexBody(double half_edge);

  /// Keeps the part in which n x <= offset, for any n other than zero.
  void cut(const Vector3& n, double offset);
  void clear() { faces_.clear(); }
  bool is_empty() const { return faces_.empty(); }
  /// Of n x over the body.
  Extent extent(const Vector3& n) const;

 private:
  using Face = std::vector<Vector3>;  ///< corners in their order around it
  std::vector<Face> faces_;
};

}  // namespace gsim::transport
