#include <algorithm>
#include <cmath>

#include "src/modules/transport/particle_files/mcpl_file.hpp"

namespace gsim::transport {
namespace {

double sign_of(double x) { return x < 0 ? -1 : 1; }

/// The magnitude of the third component of a unit vector with components a and b.
double third_component(double a, double b) { return sqrt(std::max(0.0, 1 - a * a - b * b)); }

void pack_octahedral(const double* u, double energy, double* packed) {
  const double n = 1 / (std::abs(u[0]) + std::abs(u[1]) + std::abs(u[2]));
  const double x = u[0] * n, y = u[1] * n;
  packed[0] = u[2] < 0 ? (1 - std::abs(y)) * sign_of(x) : x;
  packed[1] = u[2] < 0 ? (1 - std::abs(x)) * sign_of(y) : y;
  // A negative sign encodes z = 0, which the rounding of x and y to float would change.
  packed[2] = u[2] == 0 ? -energy : energy;
}

void unpack_octahedral(const double* packed, double* u) {
  const double ax = std::abs(packed[0]), ay = std::abs(packed[1]);
  u[0] = packed[0];
  u[1] = packed[1];
  u[2] = 1 - ax - ay;
  if (u[2] < 0) {
    u[0] = (1 - ay) * sign_of(packed[0]);
    u[1] = (1 - ax) * sign_of(packed[1]);
  }
  const double n = 1 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int a = 0; a < 3; ++a) u[a] *= n;
  if (std::signbit(packed[2])) u[2] = 0;
}

/// The packed numbers are (1/z, y), (x, 1/z) or (x, y), depending on which of |x|, |y|, |z| is the
/// largest; only the inverses are above 1.
void pack_projection(const double* u, double energy, double* packed) {
  const double ax = std::abs(u[0]), ay = std::abs(u[1]), az = std::abs(u[2]);
  const double largest = std::max({ax, ay, az});
  double omitted = u[2];
  packed[0] = u[0];
  packed[1] = u[1];
  if (largest == ax && az < ax) {
    packed[0] = u[2] != 0 ? 1 / u[2] : HUGE_VAL;
    omitted = u[0];
  } else if (largest == ay && az < ay) {
    packed[1] = u[2] != 0 ? 1 / u[2] : HUGE_VAL;
    omitted = u[1];
  }
  packed[2] = std::copysign(energy, omitted);
}

void unpack_projection(const double* packed, double* u) {
  const double a = packed[0], b = packed[1];
  const double sign = std::signbit(packed[2]) ? -1 : 1;
  if (std::abs(a) > 1) {
    u[1] = b;
    u[2] = 1 / a;
    u[0] = sign * third_component(u[1], u[2]);
  } else if (std::abs(b) > 1) {
    u[0] = a;
    u[2] = 1 / b;
    u[1] = sign * third_component(u[0], u[2]);
  } else {
    u[0] = a;
    u[1] = b;
    u[2] = sign * third_component(a, b);
  }
}

}  // namespace

void pack_direction(int version, const double* direction, double energy, double* packed) {
  if (version == 2)
    pack_octahedral(direction, energy, packed);
  else
    pack_projection(direction, energy, packed);
}

void unpack_direction(int version, const double* packed, double* direction, double& energy) {
  if (version == 2)
    unpack_octahedral(packed, direction);
  else
    unpack_projection(packed, direction);
  energy = std::abs(packed[2]);
}

}  // namespace gsim::transport
