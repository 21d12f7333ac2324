#pragma once
// The loop over full neighbour lists: each index sums the forces on one atom. Potentials are those
// of cluster_forces.hpp. full_pairs.hpp explains why both loops give the same integer sums.

#include "gsim/md/neighbour_lists/full_pairs.hpp"
#include "gsim/md/neighbour_lists/row_loop.hpp"
#include "gsim/md/pair_potentials/smoothed.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

template <class Real, class Potential, bool OneType, bool Energy>
struct FullForces {
  /// Coefficients of a pair of types: cutoff^2, shift of the energy, those of the potential.
  static constexpr int size = 2 + Potential::size;
  /// Overlaps are detected by |F/r|; otherwise by F^2.
  static constexpr bool checks_force_over_r = OneType && Potential::is_steep;
  /// Unsigned, so that sums of overlapping atoms wrap; without overlaps they do not (is_narrow()).
  using Sum =
      std::conditional_t<md::is_narrow<Real, Potential>(OneType), std::uint32_t, std::uint64_t>;
  md::FullForceJob<Real> job;

  /// Adds the forces on row i; `terms` receives the row's energy and virial, in quanta.
  template <int width = 1>
  GSIM_HD void operator()(Index i, std::int64_t* terms, const RowPart<width>& part = {}) const {
    const md::PairRecord<Real> centre = job.records[i];
    Real c[size];
    if constexpr (OneType)
      for (int s = 0; s < size; ++s) c[s] = job.coefficients[s * job.row_length];
    Real charge(1);
    if constexpr (Potential::is_charged) charge = static_cast<Real>(job.charges[i]);
    Sum f[3] = {0, 0, 0};
    std::uint32_t largest = 0;
    if constexpr (Energy)
      for (int v = 0; v < 7; ++v) terms[v] = 0;
    const NeighbourRow row(job, i);
    const BoxOfPass<Real, Energy> box(job);
    for (std::int32_t n = part.index; n < row.count; n += part.stride)
      pair(box.matrix(), centre, charge, row.at(n), c, f, largest, terms);
    if constexpr (Energy) {
      if (job.row_terms != nullptr)
        for (int v = 0; v < 7; ++v) {
          const auto of_row =
              static_cast<std::int64_t>(part.sum(static_cast<std::uint64_t>(terms[v])));
          if (part.stores()) add_term(job.row_terms[7 * i + v], of_row);
        }
    }
    for (Sum& component : f) component = part.sum(component);
    largest = part.largest(largest);
    if (!part.stores()) return;
    add_force(job, i, f);
    if (largest > job.limit) note_overlap(job, i);
  }

 private:
  /// Adds the force of row j on the centre to `f` and, with Energy, its energy and virial to
  /// `terms`.
  GSIM_HD void pair(const Real* box_matrix, const md::PairRecord<Real>& centre, Real charge,
                    std::int32_t j, Real* c, Sum* f, std::uint32_t& largest,
                    std::int64_t* terms) const {
    const md::PairRecord<Real> neighbour = job.neighbours[j];
    Real d[3];
    const Real r2 = pair_distance(box_matrix, centre, neighbour, d);
    if constexpr (!OneType) {
      const Index types = job.types;
      const Index of_types =
          types == 1 ? 0
                     : types * static_cast<Index>(centre.type) + static_cast<Index>(neighbour.type);
      for (int s = 0; s < size; ++s)
        if (Energy || s != 1) c[s] = job.coefficients[s * job.row_length + of_types];
    }
    if (!(r2 < c[0])) return;
    Real force = force_of<Potential>(r2, c + 2, job.data);
    if constexpr (Potential::is_charged) {
      charge = charge * static_cast<Real>(job.charges[j]);
      force = force * charge;
    }
    const std::uint32_t word = magnitude_word(checks_force_over_r ? force : force * force * r2);
    largest = word > largest ? word : largest;
    for (int a = 0; a < 3; ++a) f[a] += static_cast<Sum>(rounded_product(force, d[a]));
    if constexpr (Energy) {
      Real u = energy_of<Potential>(r2, c + 2, job.data) + c[1];
      if constexpr (Potential::is_charged) u = u * charge;
      add_term(terms[0], rounded_product(u, job.energy_scale));
      add_virial(d, force * job.energy_scale, terms + 1);
    }
  }
};

template <class Real, class Potential, bool OneType>
void run_full_potential(const Executor& executor, const char* label,
                        const md::FullForceJob<Real>& job) {
  if (job.with_energy)
    sum_rows<7>(executor, label, job.locals, FullForces<Real, Potential, OneType, true>{job},
                job.sums, job.device_sums);
  else
    launch_rows(executor, label, job.locals, FullForces<Real, Potential, OneType, false>{job});
}

/// Only steep potentials have separate kernels for one type: their sums need 32 bits only, and they
/// take most of the time in simple liquids.
template <class Real, class Potential>
void run_full_forces(const Executor& executor, const char* label,
                     const md::FullForceJob<Real>& job) {
  if constexpr (can_be_smoothed<Potential>)
    if (job.smoothed) {
      if constexpr (Potential::is_steep)
        if (job.types == 1)
          return run_full_potential<Real, Smoothed<Potential>, true>(executor, label, job);
      return run_full_potential<Real, Smoothed<Potential>, Potential::is_charged>(executor, label,
                                                                                  job);
    }
  if constexpr (Potential::is_steep)
    if (job.types == 1) return run_full_potential<Real, Potential, true>(executor, label, job);
  run_full_potential<Real, Potential, Potential::is_charged>(executor, label, job);
}

}  // namespace md_kernels
GSIM_TARGET_END

// The launchers full_forces_NAME_f32 and _f64 of a potential.
#define GSIM_DEFINE_FULL_FORCES_(name, Potential, Real)                              \
  GSIM_DEFINE_LAUNCHER(name, md::FullForceJob<Real>) {                               \
    md_kernels::run_full_forces<Real, md_kernels::Potential>(executor, #name, args); \
  }
#define GSIM_DEFINE_FULL_FORCES(name, Potential)                       \
  GSIM_DEFINE_FULL_FORCES_(full_forces_##name##_f32, Potential, float) \
  GSIM_DEFINE_FULL_FORCES_(full_forces_##name##_f64, Potential, double)
