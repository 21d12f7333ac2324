#pragma once
// Which clusters have a pair of atoms within the list's radius: sixteen distances a candidate.

#include "gsim/exec/launch.hpp"
#include "kernels/md/cluster_lanes.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

struct ClusterSearch {
  static constexpr int W = pair_lanes<float>, N = 16 / W;
  using R = Pack<float, W>;
  using U = Pack<std::uint32_t, W>;

  static GSIM_HD bool near(const U (&xi)[3][N], const md::Quad<std::uint32_t>& j, const R* metric,
                           R radius2) {
    const U xj[3] = {repeat<std::uint32_t, W>(j.c[0]), repeat<std::uint32_t, W>(j.c[1]),
                     repeat<std::uint32_t, W>(j.c[2])};
    auto found = radius2 < radius2;
    for (int k = 0; k < N; ++k) {
      const R u0 = unit_difference<float>(xi[0][k], xj[0]);
      const R u1 = unit_difference<float>(xi[1][k], xj[1]);
      const R u2 = unit_difference<float>(xi[2][k], xj[2]);
      const R d0 = fma(metric[4], u2, fma(metric[3], u1, metric[0] * u0));
      const R d1 = fma(metric[5], u2, metric[1] * u1), d2 = metric[2] * u2;
      found = found | (fma(d2, d2, fma(d1, d1, d0 * d0)) < radius2);
    }
    return any(found);
  }

  static std::uint32_t pair_mask(std::uint8_t i_atoms, std::uint8_t j_atoms, bool diagonal) {
    std::uint32_t mask = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = diagonal ? a + 1 : 0; b < 4; ++b)
        if ((i_atoms >> a & 1) != 0 && (j_atoms >> b & 1) != 0) mask |= 1u << (4 * a + b);
    return mask;
  }

  static void run(const md::ClusterSearchJob& job) {
    R metric[6];
    for (int a = 0; a < 6; ++a) metric[a] = R(job.metric[a]);
    Index count = 0;
    md::ClusterRow* out = job.found_rows;
    for (const auto& row : job.rows) {
      U xi[3][N];
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < N; ++k)
          xi[a][k] = spread<std::uint32_t, W>(job.i_positions[row.i].c[a] + k * (W / 4));
      md::ClusterRow made{row.i, count, count, count};
      for (Index s = row.first_span; s < row.last_span; ++s)
        for (std::int32_t j = job.spans[s].first; j < job.spans[s].last; ++j) {
          if (!near(xi, job.j_positions[j], metric, R(job.radius2))) continue;
          const std::uint32_t mask =
              pair_mask(job.i_atoms[row.i], job.j_atoms[j], job.half && j == row.i);
          if (mask == 0) continue;
          job.found[count] = {j, mask};
          if (mask != 0xffffu) {  // masked ones first
            const md::ClusterNeighbour swapped = job.found[made.unmasked];
            job.found[made.unmasked++] = job.found[count];
            job.found[count] = swapped;
          }
          ++count;
        }
      made.last = count;
      *out++ = made;
    }
    *job.found_count = count;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
#endif
