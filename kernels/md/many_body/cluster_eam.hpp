#pragma once
// The embedded-atom method over cluster pair lists, in two passes (cluster_eam_jobs.hpp has their
// arguments).
//
// In both passes each pair in range adds a rounded number to integer sums exactly once, so that the
// result depends neither on the lists, nor on the order of pairs, nor on the width of vector
// registers. Tables are looked up once for each pair: pairs in range are compressed into full
// registers; the first pass computes their density, slopes and pair force and stores slopes and
// forces; the second pass combines and adds them.

#include "gsim/exec/launch.hpp"
#include "kernels/md/many_body/cluster_eam_jobs.hpp"
#include "kernels/md/many_body/eam_math.hpp"
#include "kernels/md/many_body/spline_rows.hpp"
#include "kernels/md/neighbour_lists/cluster_compress.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// What both passes use. `OneType`: all atoms have the same type.
template <class Real, bool OneType>
struct EamPass {
  /// N packs of W lanes hold the 16 pairs of two clusters.
  static constexpr int W = pair_lanes<Real>, N = 16 / W;
  static constexpr std::uint32_t lanes_mask = (1u << W) - 1;
  /// Number of functions in a row of the tables: densities, and the pair energy times r.
  static constexpr int functions = OneType ? 2 : 3;
  using R = Pack<Real, W>;
  using Position = typename md::PairIntegers<Real>::Position;
  using Force = typename md::PairIntegers<Real>::Force;
  using U = Pack<Position, W>;
  using F = Pack<Force, W>;
  using Bits = Pack<uint_of<Real>, W>;
  using Wide = Pack<std::int64_t, W>;

  /// Loads the positions of cluster i.
  static GSIM_HD void load_row(const md::Quad<Position>& i, U (&x)[3][N]) {
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < N; ++k) x[a][k] = spread<Position, W>(i.c[a] + k * (W / 4));
  }
  /// Sets d to the vectors from cluster j to cluster i of the pairs in pack k.
  static GSIM_HD void difference(const U (&x)[3][N], int k, const U (&xj)[3], const R* box_matrix,
                                 R* d) {
    const R u0 = position_difference<Real>(x[0][k], xj[0]);
    const R u1 = position_difference<Real>(x[1][k], xj[1]);
    const R u2 = position_difference<Real>(x[2][k], xj[2]);
    d[0] = fma(box_matrix[4], u2, fma(box_matrix[3], u1, box_matrix[0] * u0));
    d[1] = fma(box_matrix[5], u2, box_matrix[1] * u1);
    d[2] = box_matrix[2] * u2;
  }
  /// The bits of |a|, which are ordered like the numbers.
  static GSIM_HD Bits magnitude(R a) {
    return bit_cast_to<uint_of<Real>>(a) & ~(uint_of<Real>(1) << (8 * sizeof(Real) - 1));
  }
  static GSIM_HD Bits larger(Bits a, Bits b) { return select(a > b, a, b); }
  /// Raises `to` to the high 32 bits of the largest lane.
  static void raise_to(Bits largest, std::uint32_t& to) {
    uint_of<Real> lanes[W];
    store(lanes, largest);
    for (const auto lane : lanes) {
      const auto word = static_cast<std::uint32_t>(lane >> (8 * (sizeof(Real) - 4)));
      if (word > to) to = word;
    }
  }
  static GSIM_HD Wide wide(Pack<std::int32_t, W> a) { return convert<std::int64_t>(a); }
  static GSIM_HD Wide wide(Wide a) { return a; }
  /// Adds the lanes of `sum` to `to`, `times` times, and sets them to zero.
  static void flush(Wide& sum, WideInteger& to, int times) {
    std::int64_t lanes[W];
    store(lanes, sum);
    for (const std::int64_t lane : lanes) to += static_cast<WideInteger>(lane) * times;
    sum = Wide(0);
  }
  /// Subtracts the sum over the pairs of each of the four atoms of cluster i from `to`.
  static GSIM_HD void subtract(Force* to, const F (&sums)[N]) {
    for (int k = 0; k < N; ++k) subtract_within_groups(to + k * (W / 4), sums[k]);
  }

  template <bool Energy, bool Ghosts>
  struct Densities;
  template <bool Virial, bool Ghosts>
  struct Forces;
};

/// The first pass: densities, and with `Energy` the pair energy. `Ghosts`: the neighbours are
/// ghosts.
template <class Real, bool OneType>
template <bool Energy, bool Ghosts>
struct EamPass<Real, OneType>::Densities {
  using Numbers = Pack<std::int32_t, W>;
  using Job = md::EamDensityJob<Real>;
  /// The pairs of a block, and room for the registers that are stored beyond the last one.
  static constexpr int capacity = 16 * md::eam_block + 64;

  /// The pairs in range of one block, compressed, and the values from the tables. tables[p]: the
  /// index of the table for the types of pair p.
  struct Pairs {
    alignas(64) Real r2[capacity];
    alignas(64) std::int32_t tables[OneType ? 1 : capacity];
    alignas(64) Force density[OneType ? 1 : 2][capacity];  ///< of j at i, of i at j
    int count = 0;
  };
  struct Totals {
    Bits largest = Bits(uint_of<Real>(0));
    Wide energy = Wide(0);
  };

  static GSIM_HD Numbers numbers(Pack<std::uint32_t, W> a) { return bit_cast_to<std::int32_t>(a); }
  static GSIM_HD Numbers numbers(Pack<std::uint64_t, W> a) {
    return numbers(convert<std::uint32_t>(a));
  }

  /// Writes the entries of [n, end) that have pairs in range to `found`, and these pairs to
  /// `pairs`; returns the number of the entries.
  static int find(const Job& job, std::int32_t i, const md::ClusterNeighbour* n,
                  const md::ClusterNeighbour* end, md::ClusterNeighbour* found, Pairs& pairs) {
    R box_matrix[6];
    for (int a = 0; a < 6; ++a) box_matrix[a] = R(job.box_matrix[a]);
    const R cutoff2(job.cutoff2);
    U x[3][N];
    load_row(job.i_positions[i], x);
    Numbers first_table[N];  // index of the first table of the atom's type
    if constexpr (!OneType)
      for (int k = 0; k < N; ++k)
        first_table[k] = numbers(spread<Position, W>(job.i_positions[i].c[3] + k * (W / 4))) *
                         Numbers(job.types);
    const md::ClusterNeighbour* const start = found;
    int count = 0;
    for (; n < end; ++n) {
      const auto& position = job.j_positions[n->j];
      const U xj[3] = {repeat<Position, W>(position.c[0]), repeat<Position, W>(position.c[1]),
                       repeat<Position, W>(position.c[2])};
      std::uint32_t mask = 0;
      for (int k = 0; k < N; ++k) {
        R d[3];
        difference(x, k, xj, box_matrix, d);
        const R r2 = fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
        const std::uint32_t bits = bits_of(r2 < cutoff2) & (n->mask >> (k * W)) & lanes_mask;
        compress_to(pairs.r2 + count, r2, bits);
        if constexpr (!OneType)
          compress_to(pairs.tables + count,
                      first_table[k] + numbers(repeat<Position, W>(position.c[3])), bits);
        mask |= bits << (k * W);
        count += __builtin_popcount(bits);
      }
      *found = {n->j, mask};
      found += mask != 0;
    }
    pairs.count = count;
    // The rest of the last register is filled with pairs at the cutoff, which are not added.
    store(pairs.r2 + count, cutoff2);
    if constexpr (!OneType) store(pairs.tables + count, Numbers(0));
    return static_cast<int>(found - start);
  }

  /// Looks up the tables; writes slopes and pair forces to `values`.
  static void evaluate(const Job& job, Pairs& pairs, int padded, Real* values, Totals& totals) {
    const R step(job.inverse_step);
    const Numbers last(job.table_rows - 1);
    for (int v = 0; v < pairs.count; v += W) {
      const R r = sqrt(load<R>(pairs.r2 + v)), ir = R(1) / r;
      auto [row, t] = TablePlace<R>(r, step, last);
      if constexpr (!OneType) row += load<Numbers>(pairs.tables + v) * Numbers(job.table_rows);
      R c[functions][4];
      load_spline_rows<functions>(job.table, row, c);
      for (int s = 0; s + 1 < functions; ++s) {
        R value, slope;
        cubic(c[s], t, value, slope);
        totals.largest = larger(totals.largest, magnitude(value));
        store(pairs.density[s] + v, quantised_product(value, R(1)));
        store(values + s * padded + v, slope * ir);
      }
      R pair, force;
      pair_terms(c[functions - 1], t, ir, step, pair, force);
      store(values + (functions - 1) * padded + v, force);
      if constexpr (Energy) {
        using I = Pack<uint_of<Real>, W>;
        const auto is_pair = lane_index<I>() < I(static_cast<uint_of<Real>>(pairs.count - v));
        const R energy = select(is_pair, pair, R(0));
        totals.energy += wide(quantised_product(energy, R(job.energy_scale)));
      }
    }
  }

  /// Subtracts the densities of `pairs`, which belong to the entries [n, end) of cluster i, from
  /// the sums of i and, unless they are ghosts, of its neighbours.
  static void add(const Job& job, std::int32_t i, const md::ClusterNeighbour* n,
                  const md::ClusterNeighbour* end, const Pairs& pairs, int worker) {
    md::Four<Force>* const sums = job.densities + worker * job.clusters;
    F density_at_i[N];
    for (auto& density : density_at_i) density = F(0);
    int at = 0;
    for (; n < end; ++n) {
      F total(0);
      for (int k = 0; k < N; ++k) {
        const std::uint32_t bits = n->mask >> (k * W) & lanes_mask;
        const F q = expand_from<Force, W>(pairs.density[0] + at, bits);
        density_at_i[k] += q;
        if constexpr (!Ghosts)
          total += OneType ? q : expand_from<Force, W>(pairs.density[OneType ? 0 : 1] + at, bits);
        at += __builtin_popcount(bits);
      }
      if constexpr (!Ghosts) {
        auto& to = sums[n->j].c;
        store(to, load<Pack<Force, 4>>(to) - sum_of_groups(total));
      }
    }
    subtract(sums[i].c, density_at_i);
  }

  static void run_chunk(const Job& job, Index c, int worker) {
    const md::ClusterChunk& part = job.chunks[c];
    md::EamChunkValues<Real>& stored = job.chunk_values[c];
    Totals totals;
    Pairs pairs;
    Index entries = 0, blocks = 0, value_count = 0;
    for (const md::ClusterRow& r : part.rows)
      for (Index first = r.first; first < r.last; first += md::eam_block) {
        const Index last = first + md::eam_block < r.last ? first + md::eam_block : r.last;
        md::ClusterNeighbour* const found = stored.entries + entries;
        const int n = find(job, r.i, &part.neighbours[first],
                           &part.neighbours[first] + (last - first), found, pairs);
        if (n == 0) continue;
        const int padded = (pairs.count + W - 1) / W * W;
        const Index needed = value_count + functions * padded + W;
        if (needed > stored.capacity) job.grow(job.owner, c, needed);
        evaluate(job, pairs, padded, stored.values + value_count, totals);
        add(job, r.i, found, found + n, pairs, worker);
        stored.blocks[blocks++] = {r.i, padded, entries, entries + n, value_count};
        entries += n;
        value_count += functions * padded;
      }
    stored.block_count = blocks;
    raise_to(totals.largest, job.largest[worker]);
    if constexpr (Energy) flush(totals.energy, job.twice_energy[worker], Ghosts ? 1 : 2);
  }
};

/// The second pass: forces, and with `Virial` the virial.
template <class Real, bool OneType>
template <bool Virial, bool Ghosts>
struct EamPass<Real, OneType>::Forces {
  using Job = md::EamForceJob<Real>;

  struct Totals {
    Bits largest = Bits(uint_of<Real>(0));
    Wide virial[6];
  };
  struct Row {
    U x[3][N];
    R slope[N];
    F f[3][N];
  };

  /// F/r of the pairs whose bits are set, from the values that the first pass stored.
  static GSIM_HD R force(const Real* values, int padded, std::uint32_t bits, R slope_i, R slope_j) {
    const R at_i = expand_from<Real, W>(values, bits);
    const R pair = expand_from<Real, W>(values + (functions - 1) * padded, bits);
    if constexpr (OneType) {
      return embedded_force(slope_i, slope_j, at_i, pair);
    } else {
      const R at_j = expand_from<Real, W>(values + padded, bits);
      return embedded_force(slope_i, slope_j, at_i, at_j, pair);
    }
  }

  /// Adds the forces of the pairs of a row and its neighbour `n`. `values`: the stored values of
  /// the entry; afterwards those of the next one.
  static GSIM_HD void entry(const Job& job, Row& row, const md::ClusterNeighbour& n,
                            const Real*& values, int padded, md::Quad<Force>* reactions,
                            const R* box_matrix, Totals& totals) {
    const auto& position = job.j_positions[n.j];
    const U xj[3] = {repeat<Position, W>(position.c[0]), repeat<Position, W>(position.c[1]),
                     repeat<Position, W>(position.c[2])};
    const R slope = repeat<Real, W>(job.j_slopes[n.j].c);
    F total[3] = {F(0), F(0), F(0)};
    for (int k = 0; k < N; ++k) {
      R d[3];
      difference(row.x, k, xj, box_matrix, d);
      const std::uint32_t bits = n.mask >> (k * W) & lanes_mask;
      const R f = force(values, padded, bits, row.slope[k], slope);
      values += __builtin_popcount(bits);
      totals.largest = larger(totals.largest, magnitude(f));
      for (int a = 0; a < 3; ++a) {
        const F q = quantised_product(f, d[a]);
        row.f[a][k] += q;
        total[a] += q;
      }
      if constexpr (Virial) {
        const R fs = f * R(job.virial_scale);
        constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
        for (int v = 0; v < 6; ++v)
          totals.virial[v] += wide(quantised_product(d[first[v]] * fs, d[second[v]]));
      }
    }
    if constexpr (!Ghosts) add_groups(reactions[n.j], total[0], total[1], total[2]);
  }

  static void run_chunk(const Job& job, Index c, int worker) {
    const md::EamChunkValues<Real>& stored = job.chunk_values[c];
    md::Quad<Force>* const reactions = job.reactions + worker * job.clusters;
    R box_matrix[6];
    for (int a = 0; a < 6; ++a) box_matrix[a] = R(job.box_matrix[a]);
    Totals totals;
    for (auto& v : totals.virial) v = Wide(0);
    for (Index b = 0; b < stored.block_count; ++b) {
      const md::EamBlock& block = stored.blocks[b];
      Row row;
      load_row(job.i_positions[block.i], row.x);
      for (int k = 0; k < N; ++k) {
        row.slope[k] = spread<Real, W>(job.i_slopes[block.i].c + k * (W / 4));
        for (int a = 0; a < 3; ++a) row.f[a][k] = F(0);
      }
      const Real* values = stored.values + block.first_value;
      for (Index n = block.first; n < block.last; ++n)
        entry(job, row, stored.entries[n], values, block.padded, reactions, box_matrix, totals);
      for (int a = 0; a < 3; ++a) subtract(reactions[block.i].c[a], row.f[a]);
    }
    raise_to(totals.largest, job.largest[worker]);
    if constexpr (Virial)
      for (int v = 0; v < 6; ++v)
        flush(totals.virial[v], job.twice_virial[worker].c[v], Ghosts ? 1 : 2);
  }
};

template <class Real, bool OneType, bool Energy, bool Ghosts>
using EamDensities = typename EamPass<Real, OneType>::template Densities<Energy, Ghosts>;
template <class Real, bool OneType, bool Virial, bool Ghosts>
using EamForces = typename EamPass<Real, OneType>::template Forces<Virial, Ghosts>;

template <class Pass, class Job>
void run_chunks(const Executor& executor, const Job& job) {
  executor.pool().for_each(job.chunks.size,
                           [&](Index c, int worker) { Pass::run_chunk(job, c, worker); });
}

/// Runs the instance of a pass that matches the options of the job: <Real, OneType, with sums,
/// Ghosts>.
template <template <class, bool, bool, bool> class Pass, class Real, bool OneType, class Job>
void run_eam_instance(const Executor& executor, const Job& job) {
  if (job.with_sums && job.ghosts)
    run_chunks<Pass<Real, OneType, true, true>>(executor, job);
  else if (job.with_sums)
    run_chunks<Pass<Real, OneType, true, false>>(executor, job);
  else if (job.ghosts)
    run_chunks<Pass<Real, OneType, false, true>>(executor, job);
  else
    run_chunks<Pass<Real, OneType, false, false>>(executor, job);
}
template <template <class, bool, bool, bool> class Pass, class Real, class Job>
void run_eam(const Executor& executor, const Job& job) {
  if (job.types == 1)
    run_eam_instance<Pass, Real, true>(executor, job);
  else
    run_eam_instance<Pass, Real, false>(executor, job);
}

}  // namespace md_kernels
GSIM_TARGET_END
