#pragma once
// Vectors of three components and their algebra, for hosts and devices.

#include <cstddef>
#include <cstdint>

#include "gsim/math/scalar.hpp"

namespace gsim {

/// Cartesian components, or three numbers by axis. The components are contiguous in memory.
struct Vector3 {
  double x = 0, y = 0, z = 0;

  /// Component `axis`: 0, 1 or 2.
  GSIM_HD double& operator[](std::size_t axis) { return data()[axis]; }
  GSIM_HD const double& operator[](std::size_t axis) const { return data()[axis]; }
  GSIM_HD double* data() { return reinterpret_cast<double*>(this); }
  GSIM_HD const double* data() const { return reinterpret_cast<const double*>(this); }
  static constexpr std::size_t size() { return 3; }
  double* begin() { return data(); }
  const double* begin() const { return data(); }
  double* end() { return data() + size(); }
  const double* end() const { return data() + size(); }

  friend constexpr bool operator==(const Vector3&, const Vector3&) = default;
};
static_assert(sizeof(Vector3) == 3 * sizeof(double));

}  // namespace gsim

GSIM_TARGET_BEGIN

/// Component `axis`: 0, 1 or 2; for kernels.
GSIM_HD double component(const Vector3& v, std::int32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
GSIM_HD Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
GSIM_HD Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
GSIM_HD Vector3 operator*(const Vector3& a, double factor) {
  return {a.x * factor, a.y * factor, a.z * factor};
}
GSIM_HD double dot(const Vector3& a, const Vector3& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
GSIM_HD Vector3 cross_product(const Vector3& a, const Vector3& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
/// a + t d
GSIM_HD Vector3 along(const Vector3& a, double t, const Vector3& d) {
  return {fma(t, d.x, a.x), fma(t, d.y, a.y), fma(t, d.z, a.z)};
}
/// a / |a|; a is not zero.
GSIM_HD Vector3 unit(const Vector3& a) { return a * (1.0 / sqrt(dot(a, a))); }
/// The product of the matrix with the rows m[0 … 2], m[3 … 5], m[6 … 8] and a.
GSIM_HD Vector3 product(const double* m, const Vector3& a) {
  return {dot({m[0], m[1], m[2]}, a), dot({m[3], m[4], m[5]}, a), dot({m[6], m[7], m[8]}, a)};
}

GSIM_TARGET_END
