// Structure factors (ewald_jobs.hpp).
#include "kernels/md/long_range/phase_block.hpp"
#include "kernels/md/long_range/phase_tables.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

#if defined(__CUDACC__)

/// Each thread sums the terms of one k-vector over one chunk of atoms.
struct StructureFactors {
  static constexpr Index chunk = 256;
  md::StructureFactorJob job;
  Index chunks;
  GSIM_HD void operator()(Index index) const {
    const Index c = index / job.k_vectors.points, point = index % job.k_vectors.points;
    // The column that holds the point: the last one that begins at or before it.
    Index low = 0, high = job.k_vectors.columns.size;
    while (high - low > 1) {
      const Index middle = (low + high) / 2;
      (job.k_vectors.columns[middle].first <= point ? low : high) = middle;
    }
    const md::KVectorColumn column = job.k_vectors.columns[low];
    const Index x = table_entry(job.k_vectors, 0, column.x),
                y = table_entry(job.k_vectors, 1, column.y),
                z = table_entry(job.k_vectors, 2, static_cast<int>(point - column.first));
    std::uint64_t sums[md::sums_per_point] = {};
    const Index last =
        (c + 1) * chunk < job.atoms.position.size ? (c + 1) * chunk : job.atoms.position.size;
    for (Index i = c * chunk; i < last; ++i) {
      const double* t = atom_table(job.atoms, job.k_vectors, i);
      const double q = job.atoms.charge[i] * job.per_charge;
      double xy[4];
      plane_products(q * t[x], q * t[x + 1], t[y], t[y + 1], xy);
      add_terms(xy, t[z], t[z + 1], sums);
    }
    // Each term has added sum_rounder_bits (add_terms()).
    for (int s = 0; s < md::sums_per_point; ++s) {
      const std::uint64_t sum =
          sums[s] - static_cast<std::uint64_t>(last - c * chunk) * sum_rounder_bits;
#if defined(__CUDA_ARCH__)
      atomicAdd(reinterpret_cast<unsigned long long*>(&job.sums[point * md::sums_per_point + s]),
                sum);
#else
      job.sums[point * md::sums_per_point + s] += static_cast<std::int64_t>(sum);
#endif
    }
  }
};

void run_structure_factors(const Executor& executor, const md::StructureFactorJob& job) {
  executor.fill_zero(job.sums.data, static_cast<std::size_t>(job.sums.size) * 8);
  fill_atom_tables(executor, job.atoms, job.k_vectors);
  const Index chunks =
      (job.atoms.position.size + StructureFactors::chunk - 1) / StructureFactors::chunk;
  launch(executor, "structure factors", chunks * job.k_vectors.points,
         StructureFactors{job, chunks});
}

#else

using R = PhaseBlock::R;
using U = PhaseBlock::U;

/// Adds the terms of the atoms of a block to the sums of its thread.
void add_block(const md::StructureFactorJob& job, PhaseBlock& block) {
  constexpr int lanes = PhaseBlock::lanes;
  std::uint64_t* const sums = block.sums();
  const int packs = block.used();
  for (const md::KVectorColumn& column : job.k_vectors.columns) {
    const double *x = block.row(0, column.x), *y = block.row(1, column.y);
    R xy[PhaseBlock::packs][4];
    for (int p = 0; p < packs; ++p) {
      const R q = block.charge(p) * job.per_charge;
      plane_products(q * PhaseBlock::cosine(x, p), q * PhaseBlock::sine(x, p),
                     PhaseBlock::cosine(y, p), PhaseBlock::sine(y, p), xy[p]);
    }
    for (int n = 0; n < column.count; ++n) {
      const double* z = block.row(2, n);
      std::uint64_t* const at = sums + Index{column.first + n} * md::sums_per_point * lanes;
      U sum[md::sums_per_point];
      for (int s = 0; s < md::sums_per_point; ++s) sum[s] = load<U>(at + s * lanes);
      for (int p = 0; p < packs; ++p)
        add_terms(xy[p], PhaseBlock::cosine(z, p), PhaseBlock::sine(z, p), sum);
      for (int s = 0; s < md::sums_per_point; ++s) store(at + s * lanes, sum[s]);
    }
  }
}

// The assignment of blocks to workers varies; sums of integers do not depend on it.
void run_structure_factors(const Executor& executor, const md::StructureFactorJob& job) {
  constexpr int lanes = PhaseBlock::lanes;
  constexpr Index sums_per_task = 512;
  const int workers = executor.threads();
  const auto sums_of = [&](Index worker) {
    return PhaseBlock(job.atoms, job.k_vectors, static_cast<int>(worker)).sums();
  };
  executor.pool().for_each(workers, [&](Index worker, int) {
    std::uint64_t* const sums = sums_of(worker);
    for (Index i = 0; i < job.sums.size * lanes; ++i) sums[i] = 0;
  });
  const Index atoms = job.atoms.position.size;
  executor.pool().for_each(PhaseBlock::count(atoms), [&](Index index, int worker) {
    PhaseBlock block(job.atoms, job.k_vectors, worker);
    block.load(index);
    add_block(job, block);
  });
  // Each term, those of the empty lanes of the last pack included, has added sum_rounder_bits.
  const std::uint64_t rounders =
      static_cast<std::uint64_t>((atoms + lanes - 1) / lanes * lanes) * sum_rounder_bits;
  executor.pool().for_each(
      (job.sums.size + sums_per_task - 1) / sums_per_task, [&](Index chunk, int) {
        const Index last = (chunk + 1) * sums_per_task < job.sums.size ? (chunk + 1) * sums_per_task
                                                                       : job.sums.size;
        for (Index s = chunk * sums_per_task; s < last; ++s) {
          std::uint64_t sum = 0;
          for (int w = 0; w < workers; ++w)
            for (int l = 0; l < lanes; ++l) sum += sums_of(w)[s * lanes + l];
          job.sums[s] = static_cast<std::int64_t>(sum - rounders);
        }
      });
}

#endif

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_structure_factors, md::StructureFactorJob) {
  md_kernels::run_structure_factors(executor, args);
}
