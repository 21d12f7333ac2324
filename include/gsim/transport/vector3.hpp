#pragma once
// Positions and directions, for hosts and devices.

#include "gsim/math/scalar.hpp"

// Marks functions that are rarely called and long, which are not inlined.
#if defined(__CUDACC__)
#define GSIM_TRANSPORT_CALLED inline __host__ __device__ __noinline__
#else
#define GSIM_TRANSPORT_CALLED inline __attribute__((noinline))
#endif

namespace gsim::transport {

struct Vector3 {
  double x = 0, y = 0, z = 0;
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Vector3;

GSIM_HD double component(const Vector3& v, std::int32_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
GSIM_HD double dot(const Vector3& a, const Vector3& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
GSIM_HD Vector3 cross_product(const Vector3& a, const Vector3& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
GSIM_HD Vector3 difference(const Vector3& a, const Vector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
GSIM_HD Vector3 scaled(const Vector3& a, double factor) {
  return {a.x * factor, a.y * factor, a.z * factor};
}
/// a + t d
GSIM_HD Vector3 along(const Vector3& a, double t, const Vector3& d) {
  return {fma(t, d.x, a.x), fma(t, d.y, a.y), fma(t, d.z, a.z)};
}
/// a / |a|; a is not zero.
GSIM_HD Vector3 unit(const Vector3& a) { return scaled(a, 1.0 / sqrt(dot(a, a))); }
/// The matrix with rows m[0 … 2], m[3 … 5], m[6 … 8] times a.
GSIM_HD Vector3 product(const double* m, const Vector3& a) {
  return {dot({m[0], m[1], m[2]}, a), dot({m[3], m[4], m[5]}, a), dot({m[6], m[7], m[8]}, a)};
}

}  // namespace transport_kernels
GSIM_TARGET_END
