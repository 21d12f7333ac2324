// Structure factors (ewald/ewald_jobs.hpp).
#include "kernels/md/long_range/phase_block.hpp"
#include "kernels/md/long_range/phase_tables.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

#if defined(__CUDACC__)

/// One point and a chunk of atoms a thread.
struct WaveSums {
  static constexpr Index chunk = 256;
  md::WaveSumJob job;
  Index chunks;
  GSIM_HD void operator()(Index index) const {
    const Index c = index / job.waves.points, point = index % job.waves.points;
    // The column that holds the point: the last one that begins at or before it.
    Index low = 0, high = job.waves.columns.size;
    while (high - low > 1) {
      const Index middle = (low + high) / 2;
      (job.waves.columns[middle].first <= point ? low : high) = middle;
    }
    const md::WaveColumn column = job.waves.columns[low];
    const Index x = table_entry(job.waves, 0, column.x), y = table_entry(job.waves, 1, column.y),
                z = table_entry(job.waves, 2, static_cast<int>(point - column.first));
    std::uint64_t sums[md::wave_sums] = {};
    const Index last =
        (c + 1) * chunk < job.atoms.position.size ? (c + 1) * chunk : job.atoms.position.size;
    for (Index i = c * chunk; i < last; ++i) {
      const double* t = atom_table(job.atoms, job.waves, i);
      const double q = job.atoms.charge[i] * job.per_charge;
      double xy[4];
      plane_products(q * t[x], q * t[x + 1], t[y], t[y + 1], xy);
      add_terms(xy, t[z], t[z + 1], sums);
    }
    for (int s = 0; s < md::wave_sums; ++s) {
      const std::uint64_t sum =
          sums[s] - static_cast<std::uint64_t>(last - c * chunk) * wave_rounder_bits;
#if defined(__CUDA_ARCH__)
      atomicAdd(reinterpret_cast<unsigned long long*>(&job.sums[point * md::wave_sums + s]), sum);
#else
      job.sums[point * md::wave_sums + s] += static_cast<std::int64_t>(sum);
#endif
    }
  }
};

void run_wave_sums(const Executor& executor, const md::WaveSumJob& job) {
  executor.fill_zero(job.sums.data, static_cast<std::size_t>(job.sums.size) * 8);
  fill_atom_tables(executor, job.atoms, job.waves);
  const Index chunks = (job.atoms.position.size + WaveSums::chunk - 1) / WaveSums::chunk;
  launch(executor, "wave sums", chunks * job.waves.points, WaveSums{job, chunks});
}

#else

using R = WaveBlock::R;
using U = WaveBlock::U;

void add_wave_block(const md::WaveSumJob& job, WaveBlock& block) {
  constexpr int lanes = WaveBlock::lanes;
  std::uint64_t* const sums = block.sums();
  const int packs = block.used();
  for (const md::WaveColumn& column : job.waves.columns) {
    const double *x = block.row(0, column.x), *y = block.row(1, column.y);
    R xy[WaveBlock::packs][4];
    for (int p = 0; p < packs; ++p) {
      const R q = block.charge(p) * job.per_charge;
      plane_products(q * WaveBlock::cosine(x, p), q * WaveBlock::sine(x, p),
                     WaveBlock::cosine(y, p), WaveBlock::sine(y, p), xy[p]);
    }
    for (int n = 0; n < column.count; ++n) {
      const double* z = block.row(2, n);
      std::uint64_t* const at = sums + Index{column.first + n} * md::wave_sums * lanes;
      U sum[md::wave_sums];
      for (int s = 0; s < md::wave_sums; ++s) sum[s] = load<U>(at + s * lanes);
      for (int p = 0; p < packs; ++p)
        add_terms(xy[p], WaveBlock::cosine(z, p), WaveBlock::sine(z, p), sum);
      for (int s = 0; s < md::wave_sums; ++s) store(at + s * lanes, sum[s]);
    }
  }
}

// Which worker takes which block is chance; sums of integers do not show it.
void run_wave_sums(const Executor& executor, const md::WaveSumJob& job) {
  constexpr int lanes = WaveBlock::lanes;
  constexpr Index grain = 512;
  const int workers = executor.threads();
  const auto part = [&](Index worker) {
    return WaveBlock(job.atoms, job.waves, static_cast<int>(worker)).sums();
  };
  executor.pool().for_each(workers, [&](Index worker, int) {
    std::uint64_t* const sums = part(worker);
    for (Index i = 0; i < job.sums.size * lanes; ++i) sums[i] = 0;
  });
  const Index atoms = job.atoms.position.size;
  executor.pool().for_each(WaveBlock::count(atoms), [&](Index index, int worker) {
    WaveBlock block(job.atoms, job.waves, worker);
    block.load(index);
    add_wave_block(job, block);
  });
  const std::uint64_t rounders =
      static_cast<std::uint64_t>((atoms + lanes - 1) / lanes * lanes) * wave_rounder_bits;
  executor.pool().for_each((job.sums.size + grain - 1) / grain, [&](Index chunk, int) {
    const Index last = (chunk + 1) * grain < job.sums.size ? (chunk + 1) * grain : job.sums.size;
    for (Index s = chunk * grain; s < last; ++s) {
      std::uint64_t sum = 0;
      for (int w = 0; w < workers; ++w)
        for (int l = 0; l < lanes; ++l) sum += part(w)[s * lanes + l];
      job.sums[s] = static_cast<std::int64_t>(sum - rounders);
    }
  });
}

#endif

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_wave_sums, md::WaveSumJob) { md_kernels::run_wave_sums(executor, args); }
