#pragma once
// The simulation box: three vectors, periodic or open along each, and the way between Cartesian
// coordinates and the integers that particles are kept in (core/fixed_position.hpp).

#include <array>
#include <cstdint>

#include "gsim/core/fixed_position.hpp"

namespace gsim {

using Vector3 = std::array<double, 3>;

/// What happens at the two faces of the box across one of its vectors. `open`: particles may leave,
/// up to half a box vector beyond either face; farther out they are lost.
enum class Boundary { periodic, open };

/// How often a particle has crossed the periodic boundary along each box vector.
using ImageCount = std::array<std::int32_t, 3>;

class Box {
 public:
  /// The box with corner `origin` and vectors (lengths[0], 0, 0), (tilts[0], lengths[1], 0),
  /// (tilts[1], tilts[2], lengths[2]): tilts are xy, xz, yz as in LAMMPS. InputError unless every
  /// length is positive and everything is finite; and where a tilt exceeds half of the length that
  /// it leans along (an equivalent box with less tilt exists) or leans out of an open axis.
  Box(const Vector3& origin, const Vector3& lengths, const Vector3& tilts = {},
      const std::array<Boundary, 3>& boundaries = {});

  const Vector3& origin() const { return origin_; }
  const Vector3& lengths() const { return lengths_; }
  const Vector3& tilts() const { return tilts_; }
  Boundary boundary(int axis) const { return boundaries_[static_cast<std::size_t>(axis)]; }
  bool is_triclinic() const { return tilts_[0] != 0 || tilts_[1] != 0 || tilts_[2] != 0; }
  double volume() const { return lengths_[0] * lengths_[1] * lengths_[2]; }
  /// Distance between the two faces across box vector `axis`: the length, where nothing is tilted.
  double width(int axis) const;

  /// The share of axis `axis`'s whole integer range that the box itself takes: 1 when periodic,
  /// 1/4 when open: particles stay within its middle half, so that no difference of two wraps.
  double share(int axis) const { return boundary(axis) == Boundary::periodic ? 1.0 : 0.25; }
  /// A distance across the faces of `axis` as a share of that axis's integer range.
  double fraction_of(int axis, double distance) const {
    return distance / width(axis) * share(axis);
  }

  /// A Cartesian point, wrapped into the box along periodic axes; `image` counts the wraps.
  /// NumericalError for a point that is not finite, is 2^31 boxes away, or is lost.
  FixedPosition to_fixed(const Vector3& point, ImageCount& image) const;
  /// The point inside the box (along open axes also outside).
  Vector3 to_cartesian(const FixedPosition& position) const;
  /// The point where a particle would be if it had never been wrapped.
  Vector3 to_cartesian(const FixedPosition& position, const ImageCount& image) const;
  /// The nearest image of `to - from`. It is the shortest one whenever that is shorter than half
  /// of every width().
  Vector3 difference(const FixedPosition& to, const FixedPosition& from) const;

  /// The box vectors' part of one unit of the integers, as columns of an upper triangular matrix:
  /// {xx, yy, zz, xy, xz, yz}. A difference d in units of 2^-bits of the axes' ranges is, in
  /// Cartesian coordinates, (xx d0 + xy d1 + xz d2, yy d1 + yz d2, zz d2).
  std::array<double, 6> metric(int bits) const;

  /// The same box stretched along its axes by `factors` > 0 (tilts go with the vector that leans);
  /// the origin stays. Particles keep their integers, so they are stretched along.
  Box stretched(const Vector3& factors) const;

  friend bool operator==(const Box&, const Box&) = default;

 private:
  Vector3 origin_, lengths_, tilts_;
  std::array<Boundary, 3> boundaries_;
};

}  // namespace gsim
