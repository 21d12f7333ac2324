#pragma once
// The embedded-atom method over full neighbour lists, in two passes (full_eam_jobs.hpp has their
// arguments). The integer sums are the same as those of the loop over cluster pairs
// (cluster_eam.hpp). Both passes look values up in the tables: storing the values of the first pass
// would take more memory and bandwidth than tables in the cache.

#include "gsim/exec/exact_reduce.hpp"
#include "gsim/md/neighbour_lists/full_pairs.hpp"
#include "gsim/md/neighbour_lists/row_loop.hpp"
#include "kernels/md/many_body/eam_math.hpp"
#include "kernels/md/many_body/full_eam_jobs.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// A pair of atoms. `OneType`: all atoms have the same type.
template <class Real, bool OneType>
struct EamPair {
  using Cubic = md::Four<Real>;
  /// Number of functions in a row of the tables (EamPass::functions), and of cubics with padding.
  static constexpr int functions = OneType ? 2 : 3, row_cubics = OneType ? 2 : 4;
  Real d[3], r2;
  Real inverse, t;  ///< 1 / r; the position in the interval of the table (TablePlace)
  const Cubic* cubics;

  GSIM_HD EamPair(const Real* box_matrix, const md::PairRecord<Real>& centre,
                  const md::PairRecord<Real>& neighbour) {
    r2 = pair_distance(box_matrix, centre, neighbour, d);
  }
  GSIM_HD bool is_in_range(const md::FullEamPass<Real>& pass) const { return r2 < pass.cutoff2; }

  GSIM_HD void look_up(const md::FullEamPass<Real>& pass, const md::PairRecord<Real>& centre,
                       const md::PairRecord<Real>& neighbour) {
    const Real r = sqrt(r2);
    inverse = Real(1) / r;
    const TablePlace<Real> place(r, pass.inverse_step, pass.table_rows - 1);
    t = place.t;
    Index row = place.row;
    if constexpr (!OneType)
      row += (static_cast<Index>(centre.type) * pass.types + static_cast<Index>(neighbour.type)) *
             pass.table_rows;
    cubics = pass.table + row * row_cubics;
  }
  /// The density of the neighbour at the centre (function 0) or the reverse (1), and its derivative
  /// by t.
  GSIM_HD void density(int function, Real& value, Real& slope) const {
    const Cubic c = cubics[function];
    cubic(c.c, t, value, slope);
  }
  /// pair_terms() of the pair.
  GSIM_HD void pair(const md::FullEamPass<Real>& pass, Real& energy, Real& force) const {
    const Cubic c = cubics[functions - 1];
    pair_terms(c.c, t, inverse, pass.inverse_step, energy, force);
  }
};

template <class Real, bool OneType, bool Energy>
struct FullEamDensities {
  md::FullEamDensityJob<Real> job;

  /// `term` receives the energy of the row's pairs, in quanta.
  template <int width = 1>
  GSIM_HD void operator()(Index i, std::int64_t* term, const RowPart<width>& part = {}) const {
    using Sum = uint_of<Real>;
    const md::PairRecord<Real> centre = job.records[i];
    Sum sum = 0;
    std::uint32_t largest = 0;
    if constexpr (Energy) *term = 0;
    const NeighbourRow row(job, i);
    const BoxOfPass<Real, Energy> box(job);
    for (std::int32_t n = part.index; n < row.count; n += part.stride) {
      const md::PairRecord<Real> neighbour = job.neighbours[row.at(n)];
      EamPair<Real, OneType> pair(box.matrix(), centre, neighbour);
      if (!pair.is_in_range(job)) continue;
      pair.look_up(job, centre, neighbour);
      Real value, slope;
      pair.density(0, value, slope);
      const std::uint32_t word = magnitude_word(value);
      largest = word > largest ? word : largest;
      sum += static_cast<Sum>(rounded_product(value, Real(1)));
      if constexpr (Energy) {
        Real energy, force;
        pair.pair(job, energy, force);
        add_term(*term, rounded_product(energy, job.energy_scale));
      }
    }
    sum = part.sum(sum);
    largest = part.largest(largest);
    if (!part.stores()) return;
    if (job.ghosts) sum += static_cast<Sum>(job.densities[i]);
    job.densities[i] = static_cast<int_of<Real>>(sum);
    if (largest > job.limit) note_overlap(job, i);
  }
};

template <class Real>
struct FullEamEmbed {
  md::FullEamEmbedJob<Real> job;

  GSIM_HD void operator()(Index i) const {
    std::int64_t energy;
    (*this)(i, &energy);
  }
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const Embedded f = embed(job.embedding, job.types[i], job.densities[i]);
    job.slopes[i] = static_cast<Real>(f.slope);
    *term = f.twice_energy;
  }
};

template <class Real, bool OneType, bool Virial>
struct FullEamForces {
  md::FullEamForceJob<Real> job;

  /// `terms` receives the virial of the row's pairs, in quanta.
  template <int width = 1>
  GSIM_HD void operator()(Index i, std::int64_t* terms, const RowPart<width>& part = {}) const {
    using Sum = uint_of<Real>;
    const md::PairRecord<Real> centre = job.records[i];
    const Real centre_slope = job.slopes[i];
    Sum f[3] = {0, 0, 0};
    std::uint32_t largest = 0;
    if constexpr (Virial)
      for (int v = 0; v < 6; ++v) terms[v] = 0;
    const NeighbourRow row(job, i);
    const BoxOfPass<Real, Virial> box(job);
    for (std::int32_t n = part.index; n < row.count; n += part.stride) {
      const std::int32_t j = row.at(n);
      const md::PairRecord<Real> neighbour = job.neighbours[j];
      EamPair<Real, OneType> pair(box.matrix(), centre, neighbour);
      if (!pair.is_in_range(job)) continue;
      pair.look_up(job, centre, neighbour);
      const Real force = force_of(pair, centre_slope, job.slopes[j]);
      const std::uint32_t word = magnitude_word(force);
      largest = word > largest ? word : largest;
      for (int a = 0; a < 3; ++a) f[a] += static_cast<Sum>(rounded_product(force, pair.d[a]));
      if constexpr (Virial) add_virial(pair.d, force * job.virial_scale, terms);
    }
    for (Sum& component : f) component = part.sum(component);
    largest = part.largest(largest);
    if (!part.stores()) return;
    add_force(job, i, f);
    if (largest > job.limit) note_overlap(job, i);
  }

 private:
  GSIM_HD Real force_of(const EamPair<Real, OneType>& pair, Real centre, Real neighbour) const {
    Real value, slope[2], energy, force;
    for (int s = 0; s + 1 < pair.functions; ++s) {
      pair.density(s, value, slope[s]);
      slope[s] = slope[s] * pair.inverse;
    }
    pair.pair(job, energy, force);
    if constexpr (OneType)
      return embedded_force(centre, neighbour, slope[0], force);
    else
      return embedded_force(centre, neighbour, slope[0], slope[1], force);
  }
};

/// Launches the instance of a pass that matches the options of the job; with_sums: `K` sums.
template <template <class, bool, bool> class Pass, int K, class Real, bool OneType, class Job>
void run_full_eam_instance(const Executor& executor, const char* label, const Job& job) {
  if (job.with_sums)
    sum_rows<K>(executor, label, job.locals, Pass<Real, OneType, true>{job}, job.sums,
                job.device_sums);
  else
    launch_rows(executor, label, job.locals, Pass<Real, OneType, false>{job});
}
template <template <class, bool, bool> class Pass, int K, class Real, class Job>
void run_full_eam(const Executor& executor, const char* label, const Job& job) {
  if (job.types == 1)
    run_full_eam_instance<Pass, K, Real, true>(executor, label, job);
  else
    run_full_eam_instance<Pass, K, Real, false>(executor, label, job);
}

template <class Real>
void run_full_eam_embed(const Executor& executor, const char* label,
                        const md::FullEamEmbedJob<Real>& job) {
  const FullEamEmbed<Real> terms{job};
  if (job.with_sums && job.device_sums != nullptr)
    exact_reduce_to<1>(executor, label, job.locals, terms, job.device_sums);
  else if (job.with_sums)
    exact_reduce<1>(executor, label, job.locals, terms, job.sums);
  else
    launch(executor, label, job.locals, terms);
}

}  // namespace md_kernels
GSIM_TARGET_END

// The launchers full_eam_densities_NAME, full_eam_embed_NAME and full_eam_forces_NAME.
#define GSIM_FULL_EAM_LAUNCHERS(name, Real)                                                       \
  GSIM_DEFINE_LAUNCHER(full_eam_densities_##name, md::FullEamDensityJob<Real>) {                  \
    md_kernels::run_full_eam<md_kernels::FullEamDensities, 1, Real>(                              \
        executor, "full_eam_densities_" #name, args);                                             \
  }                                                                                               \
  GSIM_DEFINE_LAUNCHER(full_eam_embed_##name, md::FullEamEmbedJob<Real>) {                        \
    md_kernels::run_full_eam_embed(executor, "full_eam_embed_" #name, args);                      \
  }                                                                                               \
  GSIM_DEFINE_LAUNCHER(full_eam_forces_##name, md::FullEamForceJob<Real>) {                       \
    md_kernels::run_full_eam<md_kernels::FullEamForces, 6, Real>(executor,                        \
                                                                 "full_eam_forces_" #name, args); \
  }
