#pragma once
// The loop over cluster pairs on hosts. Every pair in range adds one rounded force to integer sums
// exactly once, so that the result depends neither on the list, nor on the order of pairs, nor on
// the width of vector registers.
//
// In float the force of a pair is at most 2^28 quanta (a larger one is an overlap, which the host
// detects from `largest`), so that the sum of seven forces fits into 32 bits. If sums may be
// larger, lanes are added to 64-bit sums after every seventh neighbour, so that no sum wraps
// undetected.

#include "gsim/exec/launch.hpp"
#include "gsim/md/neighbour_lists/cluster_lanes.hpp"
#include "gsim/md/pair_potentials/smoothed.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Sums of integers, which do not depend on the order of terms. (validation/performance/md_sums.cpp
/// measures their cost compared with floating-point sums by replacing this class.)
template <class Real, bool Narrow>
struct IntegerSums {
  using Job = md::ClusterForceJob<Real>;
  using Lane = typename md::PairIntegers<Real>::Force;
  using Sum = std::conditional_t<Narrow, std::int32_t, std::int64_t>;
  /// Whether the lanes have 32 bits, but the sums 64.
  static constexpr bool widens = sizeof(Real) == 4 && !Narrow;
  static constexpr bool detects_overlaps = true;  ///< before a sum can wrap

  /// The product of a force and a difference, rounded to an integer, plus bias(1).
  template <int W>
  static GSIM_HD Pack<Lane, W> product(Pack<Real, W> a, Pack<Real, W> b) {
    return biased_product(a, b);
  }
  /// The bias of the sum of `terms` products, which is subtracted from the sum. Both may wrap.
  static constexpr Lane bias(Index terms) {
    return static_cast<Lane>(static_cast<std::uint64_t>(product_bias<Real>) *
                             static_cast<std::uint64_t>(terms));
  }
  static md::Quad<Sum>* reactions(const Job& job) {
    if constexpr (Narrow)
      return job.narrow;
    else
      return job.wide;
  }
};

template <class Real, class Potential, bool OneType, bool Energy,
          class Sums = IntegerSums<Real, md::is_narrow<Real, Potential>(OneType)>>
struct ClusterForces {
  /// N packs of W lanes hold the 16 pairs of two clusters of four atoms: W / 4 atoms of cluster i,
  /// each beside all atoms of its neighbour.
  static constexpr int W = pair_lanes<Real>, N = 16 / W;
  static constexpr bool widens = Sums::widens;
  static constexpr int neighbours_to_widen = 7;
  using R = Pack<Real, W>;
  using Position = typename md::PairIntegers<Real>::Position;
  using Lane = typename Sums::Lane;
  using Sum = typename Sums::Sum;
  using U = Pack<Position, W>;
  using F = Pack<Lane, W>;
  using I = Pack<std::int32_t, W>;
  using Wide = Pack<std::int64_t, W>;
  using Words = Pack<std::uint32_t, W* static_cast<int>(sizeof(Real)) / 4>;
  using Job = typename Sums::Job;
  /// Coefficients of a pair of types: cutoff^2, shift of the energy, those of the potential.
  static constexpr int size = 2 + Potential::size;

  /// The data of cluster i of a row of the list.
  struct Row {
    U x[3][N];
    F f[3][N];
    I type[N];  // times the number of types
    R charge[N];
    Wide wide[3][N];
  };
  struct Constants {
    R box_matrix[6], coefficients[size], energy_scale;
  };

  static GSIM_HD R r_squared(const R* d) { return fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0])); }

  static GSIM_HD Wide widened(Pack<std::int32_t, W> a) { return convert<std::int64_t>(a); }
  static GSIM_HD Wide widened(Wide a) { return a; }

  /// The magnitude of a force as an integer with the same order; NaN is larger than all numbers.
  /// The largest one of all pairs is kept.
  static GSIM_HD Words magnitude(R f, R r2) {
    if constexpr (!(OneType && Potential::is_steep)) f = f * f * r2;
    using Bits = uint_of<Real>;
    const auto bits = bit_cast_to<Bits>(f) & ~(Bits(1) << (8 * sizeof(Real) - 1));
    if constexpr (sizeof(Real) == 8)
      return words(bits);
    else
      return bits;
  }

  /// Adds the forces of the pairs of cluster `row` and its neighbour `n`, and with Energy their
  /// energies and virials. Masked: only of the pairs in the mask of `n`.
  template <bool Masked>
  static GSIM_HD void entry(const Job& job, const Constants& constants, Row& row,
                            md::ClusterNeighbour n, md::Quad<Sum>* reactions, Words& largest,
                            Wide* sums) {
    const auto& position = job.j_positions[n.j];
    const R* const box_matrix = constants.box_matrix;
    const U xj[3] = {repeat<Position, W>(position.c[0]), repeat<Position, W>(position.c[1]),
                     repeat<Position, W>(position.c[2])};
    F total[3] = {F(0), F(0), F(0)};
    for (int k = 0; k < N; ++k) {
      const R u0 = position_difference<Real>(row.x[0][k], xj[0]);
      const R u1 = position_difference<Real>(row.x[1][k], xj[1]);
      const R u2 = position_difference<Real>(row.x[2][k], xj[2]);
      const R d[3] = {fma(box_matrix[4], u2, fma(box_matrix[3], u1, box_matrix[0] * u0)),
                      fma(box_matrix[5], u2, box_matrix[1] * u1), box_matrix[2] * u2};
      const R r2 = r_squared(d);
      R c[size];
      look_up(job, constants, row, position, k, c);
      auto in_range = r2 < c[0];
      if constexpr (Masked) in_range = in_range & mask_of_bits<Real, W>(n.mask >> (k * W));
      R f = force_of<Potential>(r2, c + 2, job.data);
      R charges(1);
      if constexpr (Potential::is_charged) {
        charges = row.charge[k] * repeat<Real, W>(job.j_charges[n.j].c);
        f = f * charges;
      }
      f = select(in_range, f, R(0));
      if constexpr (Sums::detects_overlaps) largest = larger(largest, magnitude(f, r2));
      for (int a = 0; a < 3; ++a) {
        const F q = Sums::product(f, d[a]);
        row.f[a][k] += q;
        total[a] += q;
      }
      if constexpr (Energy) {
        R u = energy_of<Potential>(r2, c + 2, job.data) + c[1];
        if constexpr (Potential::is_charged) u = u * charges;
        const R scale = constants.energy_scale;
        sums[0] += widened(quantised_product(select(in_range, u, R(0)), scale));
        const R fs = f * scale;
        // xx, yy, zz, xy, xz, yz
        constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
        for (int v = 0; v < 6; ++v)
          sums[1 + v] += widened(quantised_product(d[first[v]] * fs, d[second[v]]));
      }
    }
    if (job.ghosts) return;
    for (F& t : total) t -= F(Sums::bias(N));
    add_groups(reactions[n.j], total[0], total[1], total[2]);
  }

  /// The coefficients of the pairs in the lanes of pack k.
  static GSIM_HD void look_up(const Job& job, const Constants& constants, const Row& row,
                              const md::Quad<Position>& position, int k, R* c) {
    if constexpr (OneType) {
      for (int s = 0; s < size; ++s) c[s] = constants.coefficients[s];
    } else {
      const I at = row.type[k] + convert<std::int32_t>(repeat<Position, W>(position.c[3]));
      const bool is_small = job.row_length == short_row_length;
      for (int s = 0; s < size; ++s)
        if (Energy || s != 1)
          c[s] = is_small ? lookup_short_row(job.coefficients + s * short_row_length, at)
                          : gather(job.coefficients + s * job.row_length, at);
    }
  }

  /// The high 32 bits of the lanes are used; they are in every second 32-bit lane.
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

  /// entry() for the neighbours [first, last) of a chunk; 32-bit sums are added to 64-bit ones in
  /// time.
  template <bool Masked>
  static GSIM_HD void entries(const Job& job, const Constants& constants, Row& row,
                              const md::ClusterChunk& part, Index first, Index last,
                              md::Quad<Sum>* reactions, Words& largest, Wide* sums) {
    if constexpr (!widens) {
      for (Index n = first; n < last; ++n)
        entry<Masked>(job, constants, row, part.neighbours[n], reactions, largest, sums);
    } else {
      while (first < last) {
        const Index stop = last - first < neighbours_to_widen ? last : first + neighbours_to_widen;
        for (; first < stop; ++first)
          entry<Masked>(job, constants, row, part.neighbours[first], reactions, largest, sums);
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < N; ++k) {
            row.wide[a][k] += widened(row.f[a][k]);
            row.f[a][k] = F(0);
          }
      }
    }
  }

  /// Loads cluster i and sets its forces to zero.
  static GSIM_HD void begin(const Job& job, std::int32_t i, Row& row) {
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < N; ++k) {
        row.x[a][k] = spread<Position, W>(job.i_positions[i].c[a] + k * (W / 4));
        row.f[a][k] = F(0);
        if constexpr (widens) row.wide[a][k] = Wide(0);
      }
    for (int k = 0; k < N; ++k) {
      if constexpr (!OneType)
        row.type[k] =
            convert<std::int32_t>(spread<Position, W>(job.i_positions[i].c[3] + k * (W / 4)) *
                                  U(static_cast<Position>(job.types)));
      if constexpr (Potential::is_charged)
        row.charge[k] = spread<Real, W>(job.i_charges[i].c + k * (W / 4));
    }
  }

  /// Subtracts the forces of a row with `entries` neighbours from the sums of its cluster.
  static GSIM_HD void end(const Row& row, Index entries, md::Quad<Sum>& reaction) {
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < N; ++k)
        if constexpr (widens)
          subtract_within_groups(reaction.c[a] + k * (W / 4), row.wide[a][k]);
        else
          subtract_within_groups(reaction.c[a] + k * (W / 4), row.f[a][k] - F(Sums::bias(entries)));
  }

  /// Computes the rows of one chunk, and adds to the sums of the thread `worker`.
  static void chunk(const Job& job, const md::ClusterChunk& part, int worker) {
    md::Quad<Sum>* const reactions = Sums::reactions(job) + worker * job.clusters;
    Constants constants;
    for (int a = 0; a < 6; ++a) constants.box_matrix[a] = R(job.box_matrix[a]);
    for (int s = 0; s < size; ++s)
      constants.coefficients[s] = R(job.coefficients[s * job.row_length]);
    constants.energy_scale = R(job.energy_scale);
    Words largest(0u);
    Wide sums[7];
    for (auto& s : sums) s = Wide(0);
    for (const md::ClusterRow& r : part.rows) {
      Row row;
      begin(job, r.i, row);
      entries<true>(job, constants, row, part, r.first, r.unmasked, reactions, largest, sums);
      entries<false>(job, constants, row, part, r.unmasked, r.last, reactions, largest, sums);
      end(row, r.last - r.first, reactions[r.i]);
      if constexpr (Energy) flush(sums, job.sums[worker], job.ghosts);
    }
    finish(largest, job.largest[worker]);
  }

  /// Adds the lanes of energies and virials to `to`, those of pairs of locals twice, and sets them
  /// to zero.
  static void flush(Wide* sums, md::PairSums& to, bool ghosts) {
    for (int v = 0; v < 7; ++v) {
      std::int64_t lanes[W];
      store(lanes, sums[v]);
      for (std::int64_t lane : lanes)
        to.twice[v] += static_cast<WideInteger>(lane) * (ghosts ? 1 : 2);
      sums[v] = Wide(0);
    }
  }
  /// Raises `to` to the largest magnitude in the lanes.
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

template <class Real, class Potential, bool OneType>
void run_potential(const Executor& executor, const md::ClusterForceJob<Real>& job) {
  if (job.with_energy)
    ClusterForces<Real, Potential, OneType, true>::run(executor, job);
  else
    ClusterForces<Real, Potential, OneType, false>::run(executor, job);
}

/// A smoothed potential of one type uses the kernel for several types, unless it is steep: this
/// saves the compilation of a kernel for a rare and slow case.
template <class Real, class Potential>
void run_cluster_forces(const Executor& executor, const md::ClusterForceJob<Real>& job) {
  constexpr bool has_types = !Potential::is_charged;  // potentials of charges depend on no types
  if constexpr (can_be_smoothed<Potential>)
    if (job.smoothed) {
      if constexpr (Potential::is_steep)
        if (job.types == 1) return run_potential<Real, Smoothed<Potential>, true>(executor, job);
      return run_potential<Real, Smoothed<Potential>, !has_types>(executor, job);
    }
  if constexpr (has_types)
    if (job.types > 1) return run_potential<Real, Potential, false>(executor, job);
  run_potential<Real, Potential, true>(executor, job);
}

}  // namespace md_kernels
GSIM_TARGET_END

// The launchers cluster_forces_NAME_f32 and _f64 of a potential.
#define GSIM_DEFINE_CLUSTER_FORCES_(name, Potential, Real)                       \
  GSIM_DEFINE_LAUNCHER(name, md::ClusterForceJob<Real>) {                        \
    md_kernels::run_cluster_forces<Real, md_kernels::Potential>(executor, args); \
  }
#define GSIM_DEFINE_CLUSTER_FORCES(name, Potential)                          \
  GSIM_DEFINE_CLUSTER_FORCES_(cluster_forces_##name##_f32, Potential, float) \
  GSIM_DEFINE_CLUSTER_FORCES_(cluster_forces_##name##_f64, Potential, double)
