#pragma once
// The simulation box: three vectors, periodic or open along each, and the conversion between
// Cartesian coordinates and the integer coordinates of particles (core/fixed_position.hpp).

#include <array>
#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/math/vector3.hpp"

namespace gsim {

/// Boundary condition at the two faces of the box across one of its vectors. `open`: particles may
/// leave the box by up to half a box vector beyond either face; farther out they are lost.
enum class Boundary { periodic, open };

/// How often a particle has crossed the periodic boundary along each box vector.
using ImageCount = std::array<std::int32_t, 3>;

class Box {
 public:
  /// Creates the box with corner `origin` and vectors (lengths[0], 0, 0), (tilts[0], lengths[1],
  /// 0), (tilts[1], tilts[2], lengths[2]): the tilts are xy, xz, yz as in LAMMPS. InputError unless
  /// all numbers are finite and every length is positive; if a tilt exceeds half of the
  /// corresponding length (an equivalent box with a smaller tilt exists); or if a tilt couples to
  /// an open axis.
  Box(const Vector3& origin, const Vector3& lengths, const Vector3& tilts = {},
      const std::array<Boundary, 3>& boundaries = {});

  const Vector3& origin() const { return origin_; }
  const Vector3& lengths() const { return lengths_; }
  const Vector3& tilts() const { return tilts_; }
  Boundary boundary(int axis) const { return boundaries_[static_cast<std::size_t>(axis)]; }
  bool is_triclinic() const { return tilts_[0] != 0 || tilts_[1] != 0 || tilts_[2] != 0; }
  double volume() const { return lengths_[0] * lengths_[1] * lengths_[2]; }
  /// Perpendicular distance between the two faces across box vector `axis`; equal to the length of
  /// an orthogonal box.
  double width(int axis) const;

  /// The fraction of the integer range of axis `axis` that the box occupies: 1 if periodic; 1/4 if
  /// open, since particles stay within the middle half of the range, so that no difference of two
  /// positions wraps.
  double range_fraction(int axis) const {
    return boundary(axis) == Boundary::periodic ? 1.0 : 0.25;
  }
  /// A perpendicular distance as a fraction of the integer range of the axis.
  double fraction_of(int axis, double distance) const {
    return distance / width(axis) * range_fraction(axis);
  }

  /// Converts a Cartesian point, wrapping it into the box along periodic axes; `image` counts the
  /// wraps. NumericalError if the point is not finite, is 2^31 boxes away, or is lost.
  FixedPosition to_fixed(const Vector3& point, ImageCount& image) const;
  /// Converts to Cartesian coordinates inside the box (along open axes also outside).
  Vector3 to_cartesian(const FixedPosition& position) const;
  /// Converts to unwrapped Cartesian coordinates, with the image counts of the particle.
  Vector3 to_cartesian(const FixedPosition& position, const ImageCount& image) const;
  /// The minimum-image difference `to - from`. It is the shortest image whenever that is shorter
  /// than half of every width().
  Vector3 difference(const FixedPosition& to, const FixedPosition& from) const;

  /// The box vectors per integer unit, as columns of an upper triangular matrix {xx, yy, zz, xy,
  /// xz, yz}. A difference d in units of 2^-bits of the axes' ranges is (xx d0 + xy d1 + xz d2, yy
  /// d1 + yz d2, zz d2) in Cartesian coordinates.
  std::array<double, 6> matrix(int bits) const;

  /// The box with the same origin whose Cartesian x, y and z extents are multiplied by `factors` >
  /// 0: the tilts xy and xz, which are x components, by factors[0], and yz by factors[1]. Integer
  /// coordinates of particles are unchanged, so particles are scaled along with the box.
  Box stretched(const Vector3& factors) const;

  friend bool operator==(const Box&, const Box&) = default;

 private:
  Vector3 origin_, lengths_, tilts_;
  std::array<Boundary, 3> boundaries_;
};

}  // namespace gsim
