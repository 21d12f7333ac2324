#include "src/modules/md/many_body/three_body_forces.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/forces/powers_of_two.hpp"
#include "src/modules/md/neighbour_lists/over_full_list.hpp"

namespace gsim::md {
namespace {

/// In mixed precision the force and the energy of an interaction without overlap are at most 2^28
/// quanta of the kernel, so that they fit in 32 bits.
constexpr int mixed_bits = 28;

void run(const ThreeBodyKind& kind, const Executor& e, const ThreeBodyForceJob<float>& job) {
  kind.forces_f32(e, job);
}
void run(const ThreeBodyKind& kind, const Executor& e, const ThreeBodyForceJob<double>& job) {
  kind.forces_f64(e, job);
}

/// The magnitude of the force on the atom at distance r1 from the centre.
double force_of(const md_kernels::ThreeBodyTerms<double>& h, double r1, double cosine) {
  const double along = h.by_r1 - h.by_cosine * cosine / r1, across = h.by_cosine / r1;
  return std::sqrt(std::abs(along * along + across * across + 2 * along * across * cosine));
}

/// The largest force and energy of one pair or triplet of atoms that are not nearer to the centre
/// than `closest`: twice the largest values on a grid, since values between its points can be
/// larger.
LargestForce largest_of(const ThreeBodyConfig& config) {
  constexpr int distances = 24, angles = 24;
  std::vector<double> c(static_cast<std::size_t>(config.kind->size));
  config.kind->coefficients(config.parameters.data(), 1, c.data());
  const auto r_at = [&](int k) {
    return config.closest + (config.cutoff() - config.closest) * k / distances;
  };
  LargestForce largest;
  // `energy`: the larger one of energy and virial, which have the same quantum.
  const auto note = [&](double force, double energy) {
    largest.force = std::max(largest.force, 2 * force);
    largest.energy = std::max(largest.energy, 2 * std::abs(energy));
  };
  for (int k = 0; k < distances; ++k) {
    const auto u = config.kind->pair(r_at(k), c.data());
    note(std::abs(u.slope), std::max(std::abs(u.energy), std::abs(u.slope) * r_at(k)));
    for (int l = 0; l < distances; ++l)
      for (int m = 0; m <= angles; ++m) {
        const double r1 = r_at(k), r2 = r_at(l), cosine = -1 + 2.0 * m / angles;
        const auto h = config.kind->three_body(r1, r2, cosine, c.data());
        const double f1 = force_of(h, r1, cosine);
        // The force on the other atom is the same with r1 and r2 exchanged.
        note(f1, std::max(std::abs(h.energy), 2 * f1 * r1));
      }
  }
  if (!std::isfinite(largest.force) || !std::isfinite(largest.energy) || !(largest.force > 0))
    throw InputError(fmt::format("the three-body potential `{}` has no finite forces beyond {:.6g}",
                                 config.kind->name, config.closest));
  return {power_of_two_above(largest.force), power_of_two_above(largest.energy)};
}

template <class Real>
class ThreeBodyForces final : public OverFullList<Real, ShortRange> {
  using Base = OverFullList<Real, ShortRange>;
  using Base::list;
  static constexpr bool mixed = sizeof(Real) == 4;

 public:
  ThreeBodyForces(const Executor& executor, const Box& box, const ThreeBodyConfig& config,
                  const ThreeBodyOptions& options)
      : Base(executor, box, config.cutoff(), options.skin, full_list_capacity, ListedRows::all),
        config_(config),
        options_(options),
        largest_(largest_of(config)),
        coefficients_(executor, 0) {
    ThreeBodyForces::set_quanta(quanta_for(largest_));
  }

  std::vector<std::string> energy_names() const override { return {"pair", "triplet"}; }
  double cutoff() const override { return config_.cutoff(); }
  double ghost_reach() const override { return 2 * config_.cutoff(); }
  LargestForce largest() const override { return largest_; }
  void set_quanta(const ForceQuanta& common) override {
    require_range(largest_, common);
    quanta_ = common;
    force_shift_ =
        mixed ? exponent_above(std::ldexp(largest_.force, -mixed_bits), common.force) : 0;
    energy_shift_ =
        mixed ? exponent_above(std::ldexp(largest_.energy, -mixed_bits), common.energy) : 0;
    std::vector<double> c(static_cast<std::size_t>(config_.kind->size));
    config_.kind->coefficients(config_.parameters.data(), 1 / force_quantum(), c.data());
    const std::vector<Real> rounded(c.begin(), c.end());
    coefficients_ = Array<Real>(list().executor(), std::span<const Real>(rounded));
  }
  const ForceQuanta& quanta() const override { return quanta_; }

  void rebuild(const ForceContext& context) override {
    list().rebuild(pair_atoms(context.particles), nullptr);
  }

  bool load_locals(const ForceContext& context) override {
    return Base::read_list(context.particles.positions()) == ListState::good;
  }
  // The neighbours of a centre are locals and ghosts, so that all forces are computed once ghosts
  // have arrived.
  void compute_locals(const ForceContext&) override {}
  void compute_ghosts(const ForceContext& context) override {
    if (list().ghosts() > 0) list().load_ghosts(context.particles.positions());
    add_forces(context, 0, list().locals(), context.with_sums);
    add_forces(context, list().locals(), list().ghosts(), false);
  }
  void collect(const ForceContext&, ForceSums& sums) override {
    sums.energy.resize(2);
    for (std::size_t e = 0; e < 2; ++e) sums.energy[e].add(shifted(sums_[e], energy_shift_));
    for (int v = 0; v < 6; ++v) sums.virial[v].add(shifted(sums_[2 + v], energy_shift_));
    std::fill(sums_, sums_ + three_body_sums, ExactSum());
  }

 private:
  double force_quantum() const { return std::ldexp(quanta_.force, force_shift_); }

  void add_forces(const ForceContext& context, Index first, Index count, bool with_sums) {
    if (count == 0) return;
    Particles& p = context.particles;
    ThreeBodyForceJob<Real> job;
    static_cast<FullListPass<Real>&>(job) = list().pass(false);
    job.first = first;
    job.count = count;
    job.coefficients = coefficients_.view().data;
    job.cutoff2 = static_cast<Real>(config_.cutoff() * config_.cutoff());
    job.with_sums = with_sums;
    job.energy_scale =
        static_cast<Real>(force_quantum() / std::ldexp(quanta_.energy, energy_shift_));
    const double limit = largest_.force / force_quantum();
    job.max_squared_force_bits = high_word(static_cast<Real>(limit * limit));
    job.force_shift = force_shift_;
    job.forces = p.store.template elements<std::int64_t>(p.force).data;
    job.sums = sums_;
    run(*config_.kind, list().executor(), job);
  }

  std::string message_of_overlap(std::uint64_t id) const override {
    const auto atom = static_cast<Index>(id);
    return fmt::format(
        "atom {} and another one are so near to each other that the force between them is larger "
        "than the largest one allowed, or it has more than {} neighbours within the cutoff; start "
        "from "
        "a configuration without overlaps, make the time step smaller, or lower `closest`",
        options_.id_of ? options_.id_of(atom) : atom, max_three_body_neighbours);
  }

  ThreeBodyConfig config_;
  ThreeBodyOptions options_;
  LargestForce largest_;
  Array<Real> coefficients_;
  ForceQuanta quanta_;
  int force_shift_ = 0, energy_shift_ = 0;
  ExactSum sums_[three_body_sums];  // in the quanta of the kernels
};

}  // namespace

std::unique_ptr<ShortRange> make_three_body_forces(const Executor& executor, const Box& box,
                                                   const ThreeBodyConfig& config,
                                                   const ThreeBodyOptions& options) {
  if (options.precision == PairPrecision::mixed)
    return std::make_unique<ThreeBodyForces<float>>(executor, box, config, options);
  return std::make_unique<ThreeBodyForces<double>>(executor, box, config, options);
}

}  // namespace gsim::md
