#pragma once
// The k-vectors of an Ewald sum, as integer triples.

#include <array>
#include <span>
#include <vector>

#include "gsim/domain/box.hpp"
#include "kernels/md/long_range/ewald_jobs.hpp"

namespace gsim::md {

/// The triples n with |n_a| <= max_n[a] and n . form . n <= 1 (form: xx, yy, zz, xy, xz, yz).
struct KVectorRange {
  std::array<int, 3> max_n{};
  std::array<double, 6> form{};

  /// The triples in the ellipsoid with semi-axes `max_n`.
  static KVectorRange ellipsoid(const std::array<int, 3>& max_n);
  /// The triples whose k-vector has |k| <= `cutoff` (radians per length) in `box`.
  static KVectorRange sphere(const Box& box, double cutoff);
};

/// The reciprocal vectors of a box (2 pi times the gradients of the fractional coordinates) as the
/// lower triangular matrix xx, yy, zz, yx, zx, zy: k_x = xx n_x, k_y = yx n_x + yy n_y, k_z = zx
/// n_x + zy n_y + zz n_z.
std::array<double, 6> reciprocal_vectors(const Box& box);

/// The triples n != 0 of a range, without -n for each n, stored by points (|n_x|, |n_y|, |n_z|).
class KVectorSet {
 public:
  /// InputError for more than 2^24 points, and for no points.
  explicit KVectorSet(const KVectorRange& range);

  const std::vector<KVectorColumn>& columns() const { return columns_; }
  std::int32_t points() const { return points_; }
  const std::array<int, 3>& max_n() const { return max_n_; }
  /// The number of k-vectors, n and -n counted once.
  Index size() const { return size_; }
  /// Which of (x, y, z), (x, y, -z), (x, -y, z), (x, -y, -z) of a point are in the set: bits 0, 1,
  /// 2, 3.
  unsigned members(std::int32_t point) const { return members_[static_cast<std::size_t>(point)]; }

  /// Calls body(point, signs 0 … 3, k) for every k-vector, in a fixed order; `signs` is
  /// the bit of members().
  template <class Body>
  void for_each(const Box& box, const Body& body) const;

 private:
  std::vector<KVectorColumn> columns_;
  std::vector<std::uint8_t> members_;
  std::int32_t points_ = 0;
  Index size_ = 0;
  std::array<int, 3> max_n_{};
};

template <class Body>
void KVectorSet::for_each(const Box& box, const Body& body) const {
  const std::array<double, 6> m = reciprocal_vectors(box);
  for (const KVectorColumn& column : columns_)
    for (std::int32_t z = 0; z < column.count; ++z) {
      const std::int32_t point = column.first + z;
      for (int signs = 0; signs < 4; ++signs) {
        if ((members(point) >> signs & 1u) == 0) continue;
        const double n[3] = {double(column.x), signs < 2 ? double(column.y) : -double(column.y),
                             signs % 2 == 0 ? double(z) : -double(z)};
        body(point, signs,
             Vector3{m[0] * n[0], m[3] * n[0] + m[1] * n[1],
                     m[4] * n[0] + m[5] * n[1] + m[2] * n[2]});
      }
    }
}

}  // namespace gsim::md
