#pragma once
// The pair loop over full neighbour lists: one index an atom, which sums the forces on itself.
// Differences, their metric, potentials and rounding are those of cluster_forces.hpp, operation by
// operation; a difference the other way round has the other sign and no other bit, and so has its
// rounded force. Sums are the same integers therefore.

#include "gsim/exec/exact_reduce.hpp"
#include "kernels/md/full_list.hpp"
#include "kernels/md/lowest_id.hpp"
#include "kernels/md/potentials/smoothed.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The nearest integer (ties to even) of a product, rounded to float first. What is out of range,
/// in an overlap, becomes some number.
GSIM_HD std::int32_t whole_product(float a, float b) {
  const float x = a * b;
#if defined(__CUDA_ARCH__)
  return __float2int_rn(x);
#else
  return abs(x) < 0x1p31f ? convert<std::int32_t>(round_even(x)) : 0;
#endif
}
/// The nearest integer of the exact product, for magnitudes below 2^51.
GSIM_HD std::int64_t whole_product(double a, double b) {
  constexpr double rounder = 0x1.8p52;
  return static_cast<std::int64_t>(bit_cast_to<std::uint64_t>(fma(a, b, rounder)) -
                                   bit_cast_to<std::uint64_t>(rounder));
}

GSIM_HD float coordinate_difference(std::uint32_t a, std::uint32_t b) {
  return convert<float>(static_cast<std::int32_t>(a - b));
}
GSIM_HD double coordinate_difference(std::uint64_t a, std::uint64_t b) {
  return convert<double>(static_cast<std::int64_t>(a - b) >> 12);  // 52 bits: exact
}

GSIM_HD std::uint32_t magnitude_word(float f) {
  return bit_cast_to<std::uint32_t>(f) & 0x7fffffffu;
}
GSIM_HD std::uint32_t magnitude_word(double f) {
  return static_cast<std::uint32_t>(bit_cast_to<std::uint64_t>(f) >> 32) & 0x7fffffffu;
}

template <class Real, class Potential, bool OneType, bool Energy>
struct FullForces {
  static constexpr int size = 2 + Potential::size;
  static constexpr bool checks_distance = OneType && Potential::is_steep;
  /// Unsigned, so that sums of overlapping atoms wrap; sound ones have room (is_narrow()).
  using Sum =
      std::conditional_t<md::is_narrow<Real, Potential>(OneType), std::uint32_t, std::uint64_t>;
  md::FullForceJob<Real> job;

  GSIM_HD void operator()(Index i) const { (*this)(i, nullptr); }

  /// `terms`: the row's energy and virial, in quanta.
  GSIM_HD void operator()(Index i, std::int64_t* terms) const {
    const md::NeighbourRows& list = job.list;
    const md::PairRecord<Real> own = job.records[i];
    Real c[size];
    if constexpr (OneType)
      for (int s = 0; s < size; ++s) c[s] = job.coefficients[s * job.row];
    Real charge(1);
    if constexpr (Potential::is_charged) charge = static_cast<Real>(job.charges[i]);
    Sum f[3] = {0, 0, 0};
    std::uint32_t largest = 0;
    if constexpr (Energy)
      for (int v = 0; v < 7; ++v) terms[v] = 0;
    const std::int32_t count = job.ghosts ? list.ghosts[i] : list.locals[i];
    Index at = job.ghosts ? (list.capacity - 1) * list.stride + i : i;
    const Index step = job.ghosts ? -list.stride : list.stride;
    for (std::int32_t n = 0; n < count; ++n, at += step)
      pair(own, charge, list.entries[at], c, f, largest, terms);
    for (int a = 0; a < 3; ++a) {
      const auto sum = static_cast<std::int64_t>(static_cast<std::make_signed_t<Sum>>(f[a]));
      job.forces[3 * i + a] += sum * (std::int64_t{1} << job.force_shift);
    }
    if constexpr (Energy)
      if (job.row_terms != nullptr)
        for (int v = 0; v < 7; ++v) add(job.row_terms[7 * i + v], terms[v]);
    if (largest > job.limit)
      note_lowest_id(&job.words->overlap, job.ids == nullptr ? i : job.ids[i]);
  }

 private:
  static GSIM_HD void add(std::int64_t& sum, std::int64_t term) {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) +
                                    static_cast<std::uint64_t>(term));
  }

  GSIM_HD void pair(const md::PairRecord<Real>& own, Real charge, std::int32_t j, Real* c, Sum* f,
                    std::uint32_t& largest, std::int64_t* terms) const {
    const md::PairRecord<Real> other = job.records[j];
    const Real* const metric = job.metric;
    const Real u0 = coordinate_difference(own.x[0], other.x[0]);
    const Real u1 = coordinate_difference(own.x[1], other.x[1]);
    const Real u2 = coordinate_difference(own.x[2], other.x[2]);
    const Real d[3] = {fma(metric[4], u2, fma(metric[3], u1, metric[0] * u0)),
                       fma(metric[5], u2, metric[1] * u1), metric[2] * u2};
    const Real r2 = fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
    if constexpr (!OneType) {
      const Index types = job.types;
      const Index of_types =
          types == 1 ? 0 : types * static_cast<Index>(own.type) + static_cast<Index>(other.type);
      for (int s = 0; s < size; ++s)
        if (Energy || s != 1) c[s] = job.coefficients[s * job.row + of_types];
    }
    if (!(r2 < c[0])) return;
    Real force = force_of<Potential>(r2, c + 2, job.data);
    if constexpr (Potential::is_charged) {
      charge = charge * static_cast<Real>(job.charges[j]);
      force = force * charge;
    }
    const std::uint32_t word = magnitude_word(checks_distance ? force : force * force * r2);
    largest = word > largest ? word : largest;
    for (int a = 0; a < 3; ++a) f[a] += static_cast<Sum>(whole_product(force, d[a]));
    if constexpr (Energy) {
      Real u = energy_of<Potential>(r2, c + 2, job.data) + c[1];
      if constexpr (Potential::is_charged) u = u * charge;
      add(terms[0], whole_product(u, job.energy_scale));
      const Real fs = force * job.energy_scale;
      constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
      for (int v = 0; v < 6; ++v) add(terms[1 + v], whole_product(d[first[v]] * fs, d[second[v]]));
    }
  }
};

template <class Real, class Potential, bool OneType>
void run_full_potential(const Executor& executor, const char* label,
                        const md::FullForceJob<Real>& job) {
  if (job.with_energy)
    exact_reduce<7>(executor, label, job.locals, FullForces<Real, Potential, OneType, true>{job},
                    job.sums, 256);
  else
    launch(executor, label, job.locals, FullForces<Real, Potential, OneType, false>{job}, 128);
}

/// Only steep potentials have kernels of their own for one type: their sums are narrower, and they
/// are what takes the time in simple liquids.
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

// The two lines of a potential's .cu file, after its header: the launchers full_forces_NAME_f32 and
// _f64.
#define GSIM_FULL_LAUNCHER_(name, Potential, Real)                                   \
  GSIM_DEFINE_LAUNCHER(name, md::FullForceJob<Real>) {                               \
    md_kernels::run_full_forces<Real, md_kernels::Potential>(executor, #name, args); \
  }
#define GSIM_FULL_LAUNCHERS(name, Potential)                      \
  GSIM_FULL_LAUNCHER_(full_forces_##name##_f32, Potential, float) \
  GSIM_FULL_LAUNCHER_(full_forces_##name##_f64, Potential, double)
