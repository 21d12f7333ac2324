#include "src/modules/md/pair_forces/pair_forces.hpp"

#include <cmath>

namespace gsim::md {
namespace {

ExactSum rounded(double quanta) { return ExactSum(static_cast<WideInteger>(std::rint(quanta))); }

View<std::int64_t> forces_of(const ForceContext& context) {
  Particles& p = context.particles;
  return p.store.elements<std::int64_t>(p.force);
}

}  // namespace

PairAtoms pair_atoms(Particles& p) {
  PairAtoms atoms{p.positions(), p.locals(), p.store.view<std::int32_t>(p.type), {}, p.ids()};
  if (p.has_charges()) atoms.charges = p.store.view<double>(p.charge);
  return atoms;
}

void PairForces::add_tail(TailFunction tail, std::vector<Index> counts) {
  tail_ = std::move(tail);
  counts_ = std::move(counts);
  tail_place_ = engine_->energy_names().size();
}

std::vector<std::string> PairForces::energy_names() const {
  std::vector<std::string> names = engine_->energy_names();
  if (tail_) names.push_back("tail");
  return names;
}

void PairForces::rebuild(const ForceContext& context) {
  engine_->set_box(context.box);
  engine_->rebuild(pair_atoms(context.particles), exclusions_);
}

bool PairForces::load_locals(const ForceContext& context) {
  return engine_->load_locals(context.particles.positions());
}
ListState PairForces::read_locals(const ForceContext& context) {
  return engine_->read_locals(context.particles.positions());
}

void PairForces::compute_locals(const ForceContext& context) {
  engine_->compute_locals(forces_of(context), context.with_sums);
}

void PairForces::compute_ghosts(const ForceContext& context) {
  engine_->compute_ghosts(context.particles.positions(), forces_of(context), context.with_sums);
}

void PairForces::collect(const ForceContext& context, ForceSums& sums) {
  engine_->collect(forces_of(context), sums);
  if (!tail_) return;
  sums.energy.resize(tail_place_ + 1);
  if (!context.with_sums || !context.communicator.is_root()) return;
  // Sums hold everything twice.
  const TailCorrection tail = tail_->at(counts_, context.box.volume());
  const double quantum = engine_->quanta().energy;
  sums.energy[tail_place_].add(rounded(2 * tail.energy / quantum));
  for (int a = 0; a < 3; ++a) sums.virial[a].add(rounded(2 * tail.pressure_volume / quantum));
}

}  // namespace gsim::md
