#include "src/modules/md/long_range/k_vectors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

constexpr double two_pi = 6.28318530717958647693;
constexpr Index max_points = Index{1} << 24;
// Triples on the surface of a range belong to it in spite of rounding errors.
constexpr double tolerance = 1 + 1e-9;

/// Whether a triple is in the range.
bool is_within(const KVectorRange& r, double x, double y, double z) {
  const auto& f = r.form;
  return f[0] * x * x + f[1] * y * y + f[2] * z * z +
             2 * (f[3] * x * y + f[4] * x * z + f[5] * y * z) <=
         tolerance;
}

/// Bit s of the result is set if triple s of (x, y, z), (x, y, -z), (x, -y, z), (x, -y, -z) is in
/// the set, which contains either n or -n.
unsigned members_of(const KVectorRange& range, int x, int y, int z) {
  unsigned members = 0;
  for (unsigned signs = 0; signs < 4; ++signs) {
    const bool minus_y = signs >= 2, minus_z = signs % 2 == 1;
    const bool is_copy = (minus_y && y == 0) || (minus_z && z == 0);
    const bool is_negative = x == 0 && (minus_y || (y == 0 && (minus_z || z == 0)));
    if (!is_copy && !is_negative && is_within(range, x, minus_y ? -y : y, minus_z ? -z : z))
      members |= 1u << signs;
  }
  return members;
}

}  // namespace

std::array<double, 6> reciprocal_vectors(const Box& box) {
  const auto& [lx, ly, lz] = box.lengths();
  const auto& [xy, xz, yz] = box.tilts();
  return {two_pi / lx,
          two_pi / ly,
          two_pi / lz,
          -two_pi * xy / (lx * ly),
          two_pi * (xy * yz - ly * xz) / (lx * ly * lz),
          -two_pi * yz / (ly * lz)};
}

KVectorRange KVectorRange::ellipsoid(const std::array<int, 3>& max_n) {
  KVectorRange range{max_n, {}};
  for (std::size_t a = 0; a < 3; ++a)
    range.form[a] = max_n[a] > 0 ? 1.0 / (double(max_n[a]) * max_n[a]) : 0;
  return range;
}

KVectorRange KVectorRange::sphere(const Box& box, double cutoff) {
  const std::array<double, 6> m = reciprocal_vectors(box);
  const double s = 1 / (cutoff * cutoff);
  KVectorRange range;
  range.form = {(m[0] * m[0] + m[3] * m[3] + m[4] * m[4]) * s,
                (m[1] * m[1] + m[5] * m[5]) * s,
                m[2] * m[2] * s,
                (m[3] * m[1] + m[4] * m[5]) * s,
                m[4] * m[2] * s,
                m[5] * m[2] * s};
  // n_a = k . (box vector a) / 2 pi.
  const auto& [lx, ly, lz] = box.lengths();
  const auto& [xy, xz, yz] = box.tilts();
  const double edges[3] = {lx, std::sqrt(xy * xy + ly * ly),
                           std::sqrt(xz * xz + yz * yz + lz * lz)};
  for (std::size_t a = 0; a < 3; ++a)
    range.max_n[a] = static_cast<int>(std::min(cutoff * edges[a] / two_pi * tolerance, 1e6));
  return range;
}

KVectorSet::KVectorSet(const KVectorRange& range) {
  Index box_points = 1;
  for (const int n : range.max_n) {
    GSIM_VALIDATE(n >= 0, "Ewald's sum: a largest component of k is negative", "give 0 or more");
    box_points *= Index{n} + 1;
    GSIM_VALIDATE(box_points <= max_points,
                  fmt::format("Ewald's sum: k-vectors up to ({}, {}, {}) are too many",
                              range.max_n[0], range.max_n[1], range.max_n[2]),
                  "choose a larger cutoff of pairs, a larger `accuracy` or a smaller k_max");
  }
  for (int x = 0; x <= range.max_n[0]; ++x)
    for (int y = 0; y <= range.max_n[1]; ++y) {
      std::vector<std::uint8_t> column;
      std::int32_t count = 0;
      for (int z = 0; z <= range.max_n[2]; ++z) {
        column.push_back(static_cast<std::uint8_t>(members_of(range, x, y, z)));
        if (column.back() == 0) continue;
        count = z + 1;
        max_n_ = {std::max(max_n_[0], x), std::max(max_n_[1], y), std::max(max_n_[2], z)};
        size_ += __builtin_popcount(column.back());
      }
      if (count == 0) continue;
      members_.insert(members_.end(), column.begin(), column.begin() + count);
      columns_.push_back({x, y, points_, count});
      points_ += count;
    }
  GSIM_VALIDATE(points_ > 0, "Ewald's sum has no k-vectors",
                "choose a smaller accuracy or a larger k_max");
}

}  // namespace gsim::md
