#pragma once
// The loop of a three-body potential. Each index is a centre: its neighbours within the cutoff are
// searched in its row of the list, and the forces of its triplets, each rounded once, are added to
// the three atoms. Every rank computes the triplets of its locals and of the ghosts near them and
// stores the forces on locals, which are thus sums of the same integers on any rank.
//
// With d1 = r_i - r_j, d2 = r_i - r_k and h' the derivatives of h, the force on j is
//   F_j = dh/dd1 = (h'_r1 / r1 - h'_cos cos / r1^2) d1 + h'_cos / (r1 r2) d2,
// the force on k is the same with 1 and 2 exchanged, F_i = -F_j - F_k, and the virial -(d1 F_j + d2
// F_k) is symmetric.
//
// A plugin's kernel source is
//
//   #include <gsim/md/many_body/three_body_forces.hpp>
//   #include "my_struct.hpp"
//   GSIM_DECLARE_THREE_BODY_LAUNCHERS(my_name)
//   GSIM_DEFINE_THREE_BODY_FORCES(my_name, MyStruct)

#include "gsim/exec/exact_reduce.hpp"
#include "gsim/md/forces/shared_sum.hpp"
#include "gsim/md/many_body/three_body_job.hpp"
#include "gsim/md/many_body/three_body_potential.hpp"
#include "gsim/md/neighbour_lists/full_pairs.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

template <class Real, class Potential, bool Sums>
struct ThreeBodyForces {
  static constexpr int max_neighbours = md::max_three_body_neighbours;
  md::ThreeBodyForceJob<Real> job;

  /// An atom within the cutoff of the centre.
  struct Near {
    std::int32_t row;
    Real d[3], r;
    typename Potential::template Leg<Real> leg;
    std::int64_t force[3];
  };

  GSIM_HD void operator()(Index k) const { (*this)(k, nullptr); }

  /// Adds the forces; `terms` receives the sums of md::three_body_sums, in quanta.
  GSIM_HD void operator()(Index k, std::int64_t* terms) const {
    const Index i = job.first + k;
    if constexpr (Sums)
      for (int t = 0; t < md::three_body_sums; ++t) terms[t] = 0;
    const bool is_local = i < job.locals;
    if (!is_local && job.list.locals[i] == 0) return;
    Near near[max_neighbours];
    bool has_local = is_local;
    const int count = find(i, near, has_local);
    if (count > max_neighbours && is_local) note_overlap(job, i);
    if (count > max_neighbours || !has_local) return;
    std::int64_t centre_force[3] = {0, 0, 0};
    std::uint32_t largest = 0;
    for (int a = 0; a < count; ++a) {
      near[a].leg = Potential::leg(near[a].r, job.coefficients);
      if (is_local) pair(near[a], centre_force, largest, terms);
    }
    for (int b = 1; b < count; ++b)
      for (int a = 0; a < b; ++a) {
        const bool is_ordered = id_of(near[a].row) < id_of(near[b].row);
        three_body(near[is_ordered ? a : b], near[is_ordered ? b : a], centre_force, largest,
                   terms);
      }
    if (is_local) add(i, centre_force);
    for (int a = 0; a < count; ++a)
      if (near[a].row < job.locals) add(near[a].row, near[a].force);
    if (is_local && largest > job.max_squared_force_bits) note_overlap(job, i);
  }

 private:
  GSIM_HD std::int64_t id_of(std::int32_t row) const {
    return job.ids == nullptr ? row : job.ids[row];
  }

  /// Returns the number of neighbours within the cutoff, the first `max_neighbours` of which are
  /// written to `near`. Sets `has_local` if one of them is a local.
  GSIM_HD int find(Index i, Near* near, bool& has_local) const {
    const md::PairRecord<Real> centre = job.records[i];
    int count = 0;
    for (int of_ghosts = 0; of_ghosts < 2; ++of_ghosts) {
      const NeighbourRow row(job.list, i, of_ghosts != 0);
      for (std::int32_t n = 0; n < row.count; ++n) {
        Near candidate;
        candidate.row = row.at(n);
        const Real r2 =
            pair_distance(job.box_matrix, centre, job.records[candidate.row], candidate.d);
        if (!(r2 < job.cutoff2)) continue;
        has_local = has_local || candidate.row < job.locals;
        candidate.r = sqrt(r2);
        for (int a = 0; a < 3; ++a) candidate.force[a] = 0;
        if (count < max_neighbours) near[count] = candidate;
        ++count;
      }
    }
    return count;
  }

  /// Raises `largest` to the high 32 bits of `squared`.
  GSIM_HD static void note_larger(std::uint32_t& largest, Real squared) {
    const std::uint32_t word = magnitude_word(squared);
    largest = word > largest ? word : largest;
  }

  /// Adds the force of a pair on the centre. The force on the neighbour atom is added when that
  /// atom is the centre.
  GSIM_HD void pair(const Near& neighbour, std::int64_t* centre_force, std::uint32_t& largest,
                    std::int64_t* terms) const {
    const PairTerms<Real> u = Potential::pair(neighbour.r, job.coefficients);
    const Real force = -u.slope / neighbour.r;
    note_larger(largest, u.slope * u.slope);
    for (int a = 0; a < 3; ++a) add_term(centre_force[a], rounded_product(force, neighbour.d[a]));
    if constexpr (Sums) {
      add_term(terms[0], rounded_product(u.energy, job.energy_scale));
      add_virial(neighbour.d, force * job.energy_scale, terms + 2);
    }
  }

  /// Adds the forces of a triplet, to the centre and to both neighbours.
  GSIM_HD void three_body(Near& first, Near& second, std::int64_t* centre_force,
                          std::uint32_t& largest, std::int64_t* terms) const {
    const Real* const d1 = first.d;
    const Real* const d2 = second.d;
    const Real inverse = Real(1) / (first.r * second.r);
    const Real cosine = fma(d1[2], d2[2], fma(d1[1], d2[1], d1[0] * d2[0])) * inverse;
    const ThreeBodyTerms<Real> h =
        Potential::three_body(first.r, first.leg, second.r, second.leg, cosine, job.coefficients);
    // The force on the first atom is along1 d1 + across d2, that on the second one along2 d2 +
    // across d1.
    const Real turn = h.by_cosine * cosine;
    const Real along1 = (h.by_r1 - turn / first.r) / first.r;
    const Real along2 = (h.by_r2 - turn / second.r) / second.r;
    const Real across = h.by_cosine * inverse;
    Real f1[3], f2[3];
    for (int a = 0; a < 3; ++a) {
      f1[a] = fma(along1, d1[a], across * d2[a]);
      f2[a] = fma(along2, d2[a], across * d1[a]);
      const std::int64_t q1 = rounded_product(f1[a], Real(1)), q2 = rounded_product(f2[a], Real(1));
      add_term(first.force[a], q1);
      add_term(second.force[a], q2);
      add_term(centre_force[a], -q1);
      add_term(centre_force[a], -q2);
    }
    note_larger(largest, fma(f1[2], f1[2], fma(f1[1], f1[1], f1[0] * f1[0])));
    note_larger(largest, fma(f2[2], f2[2], fma(f2[1], f2[1], f2[0] * f2[0])));
    if constexpr (Sums) {
      const Real scale = job.energy_scale;
      add_term(terms[1], 2 * std::int64_t{rounded_product(h.energy, scale)});
      constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
      for (int v = 0; v < 6; ++v) {
        const Real w = fma(d1[row[v]], f1[column[v]], d2[row[v]] * f2[column[v]]);
        add_term(terms[2 + v], -2 * std::int64_t{rounded_product(w, scale)});
      }
    }
  }

  GSIM_HD void add(Index row, const std::int64_t* force) const {
    for (int a = 0; a < 3; ++a)
      add_shared(job.forces + 3 * row + a, force[a] * (std::int64_t{1} << job.force_shift));
  }
};

template <class Real, class Potential>
void run_three_body_forces(const Executor& executor, const char* label,
                           const md::ThreeBodyForceJob<Real>& job) {
  // 256, 128: atoms per work item of a host thread; 128 also threads per block of a device.
  if (job.with_sums)
    exact_reduce<md::three_body_sums>(executor, label, job.count,
                                      ThreeBodyForces<Real, Potential, true>{job}, job.sums, 256);
  else
    launch(executor, label, job.count, ThreeBodyForces<Real, Potential, false>{job}, 128);
}

}  // namespace md_kernels
GSIM_TARGET_END

// The launchers three_body_forces_NAME_f32 and _f64 of a potential.
#define GSIM_DEFINE_THREE_BODY_FORCES_(name, Potential, Real)                              \
  GSIM_DEFINE_LAUNCHER(name, md::ThreeBodyForceJob<Real>) {                                \
    md_kernels::run_three_body_forces<Real, md_kernels::Potential>(executor, #name, args); \
  }
#define GSIM_DEFINE_THREE_BODY_FORCES(name, Potential)                             \
  GSIM_DEFINE_THREE_BODY_FORCES_(three_body_forces_##name##_f32, Potential, float) \
  GSIM_DEFINE_THREE_BODY_FORCES_(three_body_forces_##name##_f64, Potential, double)
