#pragma once
// The search for pairs of clusters (of four atoms each) that have a pair of atoms within the list
// radius: sixteen distances for each candidate. Every candidate is written to the list, and the
// count is increased only if a pair is within the radius: a branch would be mispredicted for every
// third candidate.

#include "gsim/exec/launch.hpp"
#include "kernels/md/neighbour_lists/cluster_compress.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Distances between the atoms of two clusters, from the high 32 bits of their positions.
template <bool Tilted>
struct ClusterDistances {
  static constexpr int W = pair_lanes<float>, N = 16 / W;
  using R = Pack<float, W>;
  using U = Pack<std::uint32_t, W>;
  R box_matrix[6], radius2;
  U x[3][N];  // positions of cluster i

  ClusterDistances(const float* box_matrix, float radius2) : radius2(radius2) {
    for (int a = 0; a < 6; ++a) this->box_matrix[a] = R(box_matrix[a]);
  }
  GSIM_HD void set_cluster(const md::Quad<std::uint32_t>& i) {
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < N; ++k) x[a][k] = spread<std::uint32_t, W>(i.c[a] + k * (W / 4));
  }
  /// 1 if at least one pair of atoms of the two clusters is within the radius, else 0.
  GSIM_HD Index near(const md::Quad<std::uint32_t>& j) const {
    const U xj[3] = {repeat<std::uint32_t, W>(j.c[0]), repeat<std::uint32_t, W>(j.c[1]),
                     repeat<std::uint32_t, W>(j.c[2])};
    auto found = radius2 < radius2;  // false in all lanes
    for (int k = 0; k < N; ++k) {
      const R u0 = position_difference<float>(x[0][k], xj[0]);
      const R u1 = position_difference<float>(x[1][k], xj[1]);
      const R u2 = position_difference<float>(x[2][k], xj[2]);
      R d0 = box_matrix[0] * u0, d1 = box_matrix[1] * u1;
      const R d2 = box_matrix[2] * u2;
      if constexpr (Tilted) {
        d0 = fma(box_matrix[4], u2, fma(box_matrix[3], u1, d0));
        d1 = fma(box_matrix[5], u2, d1);
      }
      found = found | (fma(d2, d2, fma(d1, d1, d0 * d0)) < radius2);
    }
    return bits_of(found) != 0 ? 1 : 0;
  }
};

struct ClusterSearch {
  /// The mask bits of all pairs with the atoms of cluster i that are set in `atoms`.
  static constexpr std::uint32_t bits_of_i(std::uint32_t atoms) {
    return ((atoms & 1) | (atoms & 2) << 3 | (atoms & 4) << 6 | (atoms & 8) << 9) * 0xf;
  }
  static constexpr std::uint32_t bits_of_j(std::uint32_t atoms) { return atoms * 0x1111; }
  static constexpr std::uint32_t above_diagonal =
      0x8ceu;  // pairs of a cluster with itself: atom b > atom a

  /// Moves entries whose mask is not full to the front of the row, and removes those without pairs.
  static void move_masked_to_front(md::ClusterNeighbour* found, md::ClusterRow& row) {
    for (Index n = row.first; n < row.last;) {
      if (found[n].mask == 0xffffu) {
        ++n;
      } else if (found[n].mask == 0) {
        found[n] = found[--row.last];
      } else {
        const md::ClusterNeighbour swapped = found[row.unmasked];
        found[row.unmasked++] = found[n];
        found[n++] = swapped;
      }
    }
  }

  template <bool Tilted>
  static void run(const md::ClusterSearchJob& job) {
    ClusterDistances<Tilted> distances(job.box_matrix, job.radius2);
    Index count = 0;
    md::ClusterRow* out = job.found_rows;
    for (const auto& row : job.rows) {
      distances.set_cluster(job.i_positions[row.i]);
      const std::uint32_t i_bits = bits_of_i(job.i_atoms[row.i]);
      md::ClusterRow new_row{row.i, count, count, count};
      for (Index s = row.first_span; s < row.last_span; ++s) {
        const auto span = job.spans[s];
        const Index diagonal = job.half && span.first == row.i ? count : -1;
        for (std::int32_t j = span.first; j < span.last; ++j) {
          job.found[count] = {j, i_bits & bits_of_j(job.j_atoms[j])};
          count += distances.near(job.j_positions[j]);
        }
        if (diagonal >= 0) job.found[diagonal].mask &= above_diagonal;
      }
      new_row.last = count;
      move_masked_to_front(job.found, new_row);
      count = new_row.last;
      *out++ = new_row;
    }
    *job.found_count = count;
  }
};

/// Shortens a list to the pairs of clusters that are within a smaller radius.
struct ClusterPrune {
  template <bool Tilted>
  static void run(const md::ClusterPruneJob& job) {
    ClusterDistances<Tilted> distances(job.box_matrix, job.radius2);
    Index count = 0;
    md::ClusterRow* out = job.kept_rows;
    const auto keep = [&](Index first, Index last) {
      for (Index n = first; n < last; ++n) {
        const md::ClusterNeighbour neighbour = job.list.neighbours[n];
        job.kept[count] = neighbour;
        count += distances.near(job.j_positions[neighbour.j]);
      }
      return count;
    };
    for (const md::ClusterRow& row : job.list.rows) {
      distances.set_cluster(job.i_positions[row.i]);
      out->i = row.i;
      out->first = count;
      out->unmasked = keep(row.first, row.unmasked);
      out->last = keep(row.unmasked, row.last);
      ++out;
    }
    *job.kept_count = count;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
