#pragma once
// The host's pair loop. Every pair in range adds one rounded force, once, to integer sums, so
// neither the list nor the order nor the width of registers reaches the result.

#include "gsim/exec/launch.hpp"
#include "kernels/md/cluster_lanes.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

template <class Real, class Potential, bool Energy, bool Ghosts>
struct ClusterForces {
  static constexpr int W = pair_lanes<Real>, N = 16 / W;
  using R = Pack<Real, W>;
  using Position = typename md::PairIntegers<Real>::Position;
  using Force = typename md::PairIntegers<Real>::Force;
  using U = Pack<Position, W>;
  using F = Pack<Force, W>;
  using Words = Pack<std::uint32_t, W* static_cast<int>(sizeof(Real)) / 4>;
  using Job = md::ClusterForceJob<Real>;

  struct Row {
    U x[3][N];
    F f[3][N];
  };

  static GSIM_HD R r_squared(const R* d) { return fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0])); }

  static GSIM_HD Words larger(Words a, Words b) { return select(a > b, a, b); }

  static GSIM_HD void add_wide(Pack<std::int64_t, W>& sum, R value, R scale) {
    sum += convert_wide(quantised_product(value, scale));
  }
  static GSIM_HD Pack<std::int64_t, W> convert_wide(Pack<std::int32_t, W> a) {
    return convert<std::int64_t>(a);
  }
  static GSIM_HD Pack<std::int64_t, W> convert_wide(Pack<std::int64_t, W> a) { return a; }

  template <bool Masked>
  static GSIM_HD void entry(const Job& job, Row& row, md::ClusterNeighbour n,
                            md::Quad<Force>* reactions, const R* metric, const R* c, const R* e,
                            R cutoff2, Words& largest, Pack<std::int64_t, W>* sums) {
    const auto& position = job.j_positions[n.j];
    const U xj[3] = {repeat<Position, W>(position.c[0]), repeat<Position, W>(position.c[1]),
                     repeat<Position, W>(position.c[2])};
    F total[3];
    for (int k = 0; k < N; ++k) {
      const R u0 = unit_difference<Real>(row.x[0][k], xj[0]);
      const R u1 = unit_difference<Real>(row.x[1][k], xj[1]);
      const R u2 = unit_difference<Real>(row.x[2][k], xj[2]);
      const R d[3] = {fma(metric[4], u2, fma(metric[3], u1, metric[0] * u0)),
                      fma(metric[5], u2, metric[1] * u1), metric[2] * u2};
      const R r2 = r_squared(d);
      auto in_range = r2 < cutoff2;
      if constexpr (Masked) in_range = in_range & mask_of_bits<Real, W>(n.mask >> (k * W));
      const R f = select(in_range, Potential::force(r2, c), R(0));
      using Bits = uint_of<Real>;
      constexpr Bits magnitude = ~(Bits(1) << (8 * sizeof(Real) - 1));
      if constexpr (sizeof(Real) == 8)
        largest = larger(largest, words(bit_cast_to<Bits>(f) & magnitude));
      else
        largest = larger(largest, bit_cast_to<Bits>(f) & magnitude);
      for (int a = 0; a < 3; ++a) {
        const F q = quantised_product(f, d[a]);
        row.f[a][k] += q;
        if (k == 0)
          total[a] = q;
        else
          total[a] += q;
      }
      if constexpr (Energy) {
        add_wide(sums[0], select(in_range, Potential::energy(r2, e), R(0)), R(1));
        const R scale = R(job.virial_scale);
        const R fs = f * scale;
        constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
        for (int v = 0; v < 6; ++v) add_wide(sums[1 + v], d[first[v]] * fs, d[second[v]]);
      }
    }
    if constexpr (!Ghosts) add_groups(reactions[n.j], total[0], total[1], total[2]);
  }

  /// The lanes' high words are what counts; they stand in every second lane.
  static GSIM_HD Words words(Pack<std::uint64_t, W> a) {
    if constexpr (Words::is_register && Pack<std::uint64_t, W>::is_register)
      return Words((typename Words::Rep)a.v);
    else
      return join(half_words(lower(a)), half_words(upper(a)));
  }
  template <int V>
  static GSIM_HD Pack<std::uint32_t, 2 * V> half_words(Pack<std::uint64_t, V> a) {
    return Pack<std::uint32_t, 2 * V>((typename Pack<std::uint32_t, 2 * V>::Rep) a.v);
  }

  static void chunk(const Job& job, const md::ClusterChunk& part, int worker) {
    md::Quad<Force>* const reactions = job.reactions + worker * job.clusters;
    R metric[6], c[2], e[3];
    for (int a = 0; a < 6; ++a) metric[a] = R(job.metric[a]);
    for (int a = 0; a < 2; ++a) c[a] = R(job.force[a]);
    for (int a = 0; a < 3; ++a) e[a] = R(job.energy[a]);
    const R cutoff2 = R(job.cutoff2);
    Words largest(0u);
    Pack<std::int64_t, W> sums[7];
    for (auto& s : sums) s = Pack<std::int64_t, W>(0);
    for (const md::ClusterRow& r : part.rows) {
      Row row;
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < N; ++k) {
          row.x[a][k] = spread<Position, W>(job.i_positions[r.i].c[a] + k * (W / 4));
          row.f[a][k] = F(0);
        }
      for (Index n = r.first; n < r.unmasked; ++n)
        entry<true>(job, row, part.neighbours[n], reactions, metric, c, e, cutoff2, largest, sums);
      for (Index n = r.unmasked; n < r.last; ++n)
        entry<false>(job, row, part.neighbours[n], reactions, metric, c, e, cutoff2, largest, sums);
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < N; ++k)
          subtract_within_groups(reactions[r.i].c[a] + k * (W / 4), row.f[a][k]);
      if constexpr (Energy) flush(sums, job.sums[worker]);
    }
    finish(largest, job.largest[worker]);
  }

  static void flush(Pack<std::int64_t, W>* sums, md::PairSums& to) {
    for (int v = 0; v < 7; ++v) {
      std::int64_t lanes[W];
      store(lanes, sums[v]);
      for (std::int64_t lane : lanes)
        to.twice[v] += static_cast<WideInteger>(lane) * (Ghosts ? 1 : 2);
      sums[v] = Pack<std::int64_t, W>(0);
    }
  }
  static void finish(Words largest, std::uint32_t& to) {
    constexpr int step = sizeof(Real) / 4;
    std::uint32_t lanes[lanes_of<Words>];
    store(lanes, largest);
    for (int l = step - 1; l < lanes_of<Words>; l += step)
      if (lanes[l] > to) to = lanes[l];
  }

  static void run(const Executor& executor, const Job& job) {
    executor.pool().for_each(job.chunks.size,
                             [&](Index c, int worker) { chunk(job, job.chunks[c], worker); });
  }
};

template <class Real, class Potential>
void run_cluster_forces(const Executor& executor, const md::ClusterForceJob<Real>& job) {
  if (job.with_energy && job.ghosts)
    ClusterForces<Real, Potential, true, true>::run(executor, job);
  else if (job.with_energy)
    ClusterForces<Real, Potential, true, false>::run(executor, job);
  else if (job.ghosts)
    ClusterForces<Real, Potential, false, true>::run(executor, job);
  else
    ClusterForces<Real, Potential, false, false>::run(executor, job);
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
