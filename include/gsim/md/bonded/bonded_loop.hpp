#pragma once
// The loop over a list of bonded interactions. On the host, each thread processes whole blocks of
// rows, and within a block as many interactions at a time as a vector register has lanes. On CUDA,
// each thread computes one interaction and adds its forces atomically.

#include "gsim/exec/exact_reduce.hpp"
#include "gsim/md/bonded/bonded_math.hpp"
#include "gsim/md/forces/lowest_id.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// x, a term of an energy sum in quanta, rounded to an integer. Terms whose magnitude is above 2^62
/// become 2^62 or -2^62 and are reported as faults.
template <Real R>
GSIM_HD rebind<R, std::int64_t> rounded_quanta(R x) {
  constexpr double limit = 4611686018427387904.0;  // 2^62
  const R bounded = select(x < R(limit), select(x > R(-limit), x, R(-limit)), R(limit));
  return convert<std::int64_t>(round_even(bounded));
}

#if defined(__CUDACC__)

/// Computes interaction i of the block and adds its forces; if Sums, also its energy and virial.
template <class Style, bool Sums>
struct BondedThread {
  md::BondedJob job;
  md::BondedBlock block;
  GSIM_HD void operator()(Index i) const {
    std::int64_t term[7];
    (*this)(i, term);
  }
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    std::int32_t row[Style::atoms];
    for (int k = 0; k < Style::atoms; ++k) row[k] = block.row[k][i];
    const auto result = Style::template evaluate<Sums, double>(job, row, block.type[i]);
    if (result.is_fault) note_lowest_id(&job.fault->first_id, job.id[row[0]]);
    for (int k = 0; k < Style::atoms; ++k)
      if (row[k] < block.last_row)
        for (int a = 0; a < 3; ++a) add(job.force + 3 * Index{row[k]} + a, result.force[k][a]);
    const bool is_counted = row[0] < block.last_row;
    for (int t = 0; t < 7; ++t)
      term[t] = Sums && is_counted ? rounded_quanta(result.energy_virial[t]) : 0;
  }
  static GSIM_HD void add(std::int64_t* to, std::int64_t value) {
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
    *to += value;
#endif
  }
};

template <class Style>
void run_bonded(const Executor& executor, const char* label, const md::BondedJob& job) {
  for (const md::BondedBlock& block : job.blocks)
    if (job.with_sums)
      exact_reduce<7>(executor, label, block.count, BondedThread<Style, true>{job, block},
                      block.sums);
    else
      launch(executor, label, block.count, BondedThread<Style, false>{job, block});
}

#else

/// Computes all interactions of block b and adds their forces; if Sums, also energies and virial.
template <class Style, bool Sums>
struct BondedBlocks {
  using R = packed<double>;
  static constexpr int W = lanes_of<R>, n = Style::atoms;
  using Rows = Pack<std::int32_t, W>;
  md::BondedJob job;

  void operator()(Index b) const {
    const md::BondedBlock& block = job.blocks[static_cast<std::size_t>(b)];
    for (Index i = 0; i < block.count; i += W) {
      const int lanes = block.count - i < W ? static_cast<int>(block.count - i) : W;
      Rows row[n];
      for (int k = 0; k < n; ++k) row[k] = load<Rows>(block.row[k] + i);
      const auto result = Style::template evaluate<Sums, R>(job, row, load<Rows>(block.type + i));
      if (any(result.is_fault)) note_faults(block, i, lanes, result.is_fault);
      for (int k = 0; k < n; ++k) add(block, block.row[k] + i, lanes, result.force[k]);
      if constexpr (Sums) add_sums(block, i, lanes, result.energy_virial);
    }
  }

  /// Adds forces to the atoms whose rows are in the block. The other atoms of the interactions get
  /// theirs from other blocks or ranks, which compute the same interactions.
  GSIM_HD void add(const md::BondedBlock& block, const std::int32_t* row, int lanes,
                   const Pack<std::int64_t, W>* force) const {
    std::int64_t x[W], y[W], z[W];
    store(x, force[0]);
    store(y, force[1]);
    store(z, force[2]);
    for (int l = 0; l < lanes; ++l) {
      if (!is_in(block, row[l])) continue;
      std::int64_t* const to = job.force + 3 * Index{row[l]};
      to[0] += x[l];
      to[1] += y[l];
      to[2] += z[l];
    }
  }
  static GSIM_HD bool is_in(const md::BondedBlock& block, std::int32_t row) {
    return row >= block.first_row && row < block.last_row;
  }
  void add_sums(const md::BondedBlock& block, Index i, int lanes, const R* terms) const {
    for (int t = 0; t < 7; ++t) {
      std::int64_t quanta[W];
      store(quanta, rounded_quanta(terms[t]));
      for (int l = 0; l < lanes; ++l)
        if (is_in(block, block.row[0][i + l])) block.sums[t].add(quanta[l]);
    }
  }
  void note_faults(const md::BondedBlock& block, Index i, int lanes, mask_of<R> is_fault) const {
    double flag[W];
    store(flag, select(is_fault, R(1.0), R(0.0)));
    for (int l = 0; l < lanes; ++l)
      if (flag[l] != 0) note_lowest_id(&job.fault->first_id, job.id[block.row[0][i + l]]);
  }
};

template <class Style>
void run_bonded(const Executor& executor, const char* label, const md::BondedJob& job) {
  const auto blocks = static_cast<Index>(job.blocks.size());
  if (job.with_sums)
    launch(executor, label, blocks, BondedBlocks<Style, true>{job}, 1);
  else
    launch(executor, label, blocks, BondedBlocks<Style, false>{job}, 1);
}

#endif

}  // namespace md_kernels
GSIM_TARGET_END
