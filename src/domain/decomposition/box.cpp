#include "gsim/domain/box.hpp"

#include <cmath>
#include <string>

#include "gsim/core/error.hpp"

namespace gsim {
namespace {

constexpr double two_64 = 18446744073709551616.0;

std::string text(const Vector3& v) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) +
         ")";
}

/// Converts a fraction 0 <= f < 1 of a range to units of 2^-64.
std::uint64_t scaled(double fraction) {
  return static_cast<std::uint64_t>(fraction * two_64);  // exact: a double below 1 has 53 bits
}

/// Whether a tilt is more than half of the length of the box along its axis; the tolerance admits a
/// tilt of one half that was printed and read again.
bool is_tilted_too_far(double tilt, double length) {
  return std::abs(tilt) > 0.5 * length * (1 + 1e-9);
}

}  // namespace

Box::Box(const Vector3& origin, const Vector3& lengths, const Vector3& tilts,
         const std::array<Boundary, 3>& boundaries)
    : origin_(origin), lengths_(lengths), tilts_(tilts), boundaries_(boundaries) {
  for (std::size_t a = 0; a < 3; ++a) {
    GSIM_VALIDATE(std::isfinite(origin[a]) && std::isfinite(lengths[a]) && std::isfinite(tilts[a]),
                  "the box is not finite: origin " + text(origin) + ", lengths " + text(lengths) +
                      ", tilts " + text(tilts),
                  "give finite numbers");
    GSIM_VALIDATE(lengths[a] > 0, "the box has lengths " + text(lengths),
                  "every length must be positive");
  }
  const struct {
    const char* name;
    std::size_t tilt, along, vector;  // box vector `vector` is tilted along axis `along`
  } tilted_vectors[] = {{"xy", 0, 0, 1}, {"xz", 1, 0, 2}, {"yz", 2, 1, 2}};
  for (const auto& l : tilted_vectors) {
    GSIM_VALIDATE(!is_tilted_too_far(tilts[l.tilt], lengths[l.along]),
                  std::string("tilt ") + l.name + " = " + std::to_string(tilts[l.tilt]) +
                      " is more than half of the length " + std::to_string(lengths[l.along]) +
                      " along which it is tilted",
                  "add or subtract that length: the same periodic box with less tilt");
    GSIM_VALIDATE(tilts[l.tilt] == 0 || (boundaries[l.along] == Boundary::periodic &&
                                         boundaries[l.vector] == Boundary::periodic),
                  std::string("tilt ") + l.name + " couples to an axis that is not periodic",
                  "make both axes periodic, or the tilt 0");
  }
}

double Box::width(int axis) const {
  const auto [lx, ly, lz] = lengths_;
  const auto [xy, xz, yz] = tilts_;
  switch (axis) {
    case 0: {  // the width is volume / |b x c|
      const double y = xy * lz, z = xy * yz - ly * xz;
      return lx * ly * lz / std::sqrt(ly * lz * (ly * lz) + y * y + z * z);
    }
    case 1:
      return ly * lz / std::sqrt(lz * lz + yz * yz);
    default:
      return lz;
  }
}

FixedPosition Box::to_fixed(const Vector3& point, ImageCount& image) const {
  double s[3];
  s[2] = (point[2] - origin_[2]) / lengths_[2];
  s[1] = (point[1] - origin_[1] - s[2] * tilts_[2]) / lengths_[1];
  s[0] = (point[0] - origin_[0] - s[1] * tilts_[0] - s[2] * tilts_[1]) / lengths_[0];
  FixedPosition position{};
  for (std::size_t a = 0; a < 3; ++a) {
    image[a] = 0;
    double fraction = s[a];
    if (boundaries_[a] == Boundary::periodic) {
      const double wraps = std::floor(fraction);
      if (!(std::abs(wraps) < 2147483648.0))  // image counts have 32 bits
        throw NumericalError("a particle is at " + text(point) +
                             ", which is not near the box; check its coordinates");
      fraction -= wraps;
      image[a] = static_cast<std::int32_t>(wraps);
      if (fraction >= 1.0) {  // a tiny negative fraction rounds up to the next image
        fraction = 0.0;
        image[a] += 1;
      }
    } else {
      fraction = 0.375 + 0.25 * fraction;          // the box is the middle quarter of the range
      if (!(fraction >= 0.25 && fraction < 0.75))  // so that no difference of two positions wraps
        throw NumericalError("a particle at " + text(point) +
                             " is lost: more than half a box beyond an open face; make the box "
                             "larger or its axis periodic");
    }
    position.x[a] = scaled(fraction);
  }
  return position;
}

Vector3 Box::to_cartesian(const FixedPosition& position) const {
  return to_cartesian(position, ImageCount{});
}

Vector3 Box::to_cartesian(const FixedPosition& position, const ImageCount& image) const {
  double s[3];
  for (std::size_t a = 0; a < 3; ++a) {
    const double fraction = static_cast<double>(position.x[a]) / two_64;
    s[a] = boundaries_[a] == Boundary::periodic ? fraction + image[a] : 4.0 * (fraction - 0.375);
  }
  return {origin_[0] + (s[0] * lengths_[0] + s[1] * tilts_[0] + s[2] * tilts_[1]),
          origin_[1] + (s[1] * lengths_[1] + s[2] * tilts_[2]), origin_[2] + s[2] * lengths_[2]};
}

std::array<double, 6> Box::matrix(int bits) const {
  double unit[3];
  for (int a = 0; a < 3; ++a) unit[a] = std::ldexp(1.0 / range_fraction(a), -bits);
  return {lengths_[0] * unit[0], lengths_[1] * unit[1], lengths_[2] * unit[2],
          tilts_[0] * unit[1],   tilts_[1] * unit[2],   tilts_[2] * unit[2]};
}

Vector3 Box::difference(const FixedPosition& to, const FixedPosition& from) const {
  const std::array<double, 6> m = matrix(64);
  double d[3];
  for (int a = 0; a < 3; ++a) d[a] = static_cast<double>(nearest_image(to.x[a], from.x[a]));
  return {m[0] * d[0] + m[3] * d[1] + m[4] * d[2], m[1] * d[1] + m[5] * d[2], m[2] * d[2]};
}

Box Box::stretched(const Vector3& factors) const {
  return Box(origin_,
             {lengths_[0] * factors[0], lengths_[1] * factors[1], lengths_[2] * factors[2]},
             {tilts_[0] * factors[0], tilts_[1] * factors[0], tilts_[2] * factors[1]}, boundaries_);
}

}  // namespace gsim
