// Forces of Ewald's sum over k-vectors (ewald_jobs.hpp).
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/long_range/phase_block.hpp"
#include "kernels/md/long_range/phase_tables.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Adds the force on atom i, or records its id in job.overflow if the force is out of range.
GSIM_HD void add_force(const md::ReciprocalForceJob& job, Index i, double x, double y, double z) {
  constexpr double limit = 0x1p51;  // in quanta; round_even() is exact below it
  const double f[3] = {x, y, z};
  for (int a = 0; a < 3; ++a)
    if (!(abs(f[a]) < limit)) return note_lowest_id(job.overflow, job.ids[i]);
  for (int a = 0; a < 3; ++a) job.force[3 * i + a] += static_cast<std::int64_t>(round_even(f[a]));
}

#if defined(__CUDACC__)

struct ReciprocalForces {
  md::ReciprocalForceJob job;
  GSIM_HD void operator()(Index i) const {
    const double* t = atom_table(job.atoms, job.k_vectors, i);
    const double* const t_z = t + table_entry(job.k_vectors, 2, 0);
    double gradient[3] = {};
    for (Index k = 0; k < job.k_vectors.columns.size; ++k) {
      const md::KVectorColumn column = job.k_vectors.columns[k];
      ColumnField<double> field = {};
      for (int n = 0; n < column.count; ++n)
        add_point(&job.coefficients[16 * Index{column.first + n}], t_z[2 * n], t_z[2 * n + 1],
                  field);
      const Index x = table_entry(job.k_vectors, 0, column.x),
                  y = table_entry(job.k_vectors, 1, column.y);
      add_column(column, t[x], t[x + 1], t[y], t[y + 1], field, gradient);
    }
    double force[3];
    force_of(job.gradient, job.atoms.charge[i], gradient, force);
    add_force(job, i, force[0], force[1], force[2]);
  }
};

void run_reciprocal_forces(const Executor& executor, const md::ReciprocalForceJob& job) {
  fill_atom_tables(executor, job.atoms, job.k_vectors);
  launch(executor, "reciprocal forces", job.atoms.position.size, ReciprocalForces{job});
}

#else

using R = PhaseBlock::R;

/// The number of packs that are processed together, so that coefficients are loaded once for all of
/// them: as many as fit into the registers.
inline constexpr int shared_packs = PhaseBlock::lanes == 8 ? 2 : 1;

/// Adds the forces on the atoms in the packs [pack, pack + N) of a block.
template <int N>
void add_block_forces(const md::ReciprocalForceJob& job, const PhaseBlock& block, int pack) {
  R gradient[N][3];
  for (auto& g : gradient)
    for (R& component : g) component = R(0.0);
  for (const md::KVectorColumn& column : job.k_vectors.columns) {
    ColumnField<R> field[N];
    for (auto& f : field)
      for (int j = 0; j < 4; ++j) f.phi[j] = f.along_z[j] = R(0.0);
    for (int n = 0; n < column.count; ++n) {
      const double* const z = block.row(2, n);
      const double* const c = &job.coefficients[16 * Index{column.first + n}];
      for (int p = 0; p < N; ++p)
        add_point(c, PhaseBlock::cosine(z, pack + p), PhaseBlock::sine(z, pack + p), field[p]);
    }
    const double *x = block.row(0, column.x), *y = block.row(1, column.y);
    for (int p = 0; p < N; ++p)
      add_column(column, PhaseBlock::cosine(x, pack + p), PhaseBlock::sine(x, pack + p),
                 PhaseBlock::cosine(y, pack + p), PhaseBlock::sine(y, pack + p), field[p],
                 gradient[p]);
  }
  for (int p = 0; p < N; ++p) {
    R force[3];
    force_of(job.gradient, block.charge(pack + p), gradient[p], force);
    const Index first = block.first() + (pack + p) * PhaseBlock::lanes;
    for (int l = 0; l < PhaseBlock::lanes && first + l < job.atoms.position.size; ++l)
      add_force(job, first + l, extract(force[0], l), extract(force[1], l), extract(force[2], l));
  }
}

void run_reciprocal_forces(const Executor& executor, const md::ReciprocalForceJob& job) {
  executor.pool().for_each(PhaseBlock::count(job.atoms.position.size), [&](Index b, int worker) {
    PhaseBlock block(job.atoms, job.k_vectors, worker);
    block.load(b);
    int p = 0;
    for (; p + shared_packs <= block.used(); p += shared_packs)
      add_block_forces<shared_packs>(job, block, p);
    for (; p < block.used(); ++p) add_block_forces<1>(job, block, p);
  });
}

#endif

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_reciprocal_forces, md::ReciprocalForceJob) {
  md_kernels::run_reciprocal_forces(executor, args);
}
