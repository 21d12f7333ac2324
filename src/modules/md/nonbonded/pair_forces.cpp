#include "src/modules/md/nonbonded/pair_forces.hpp"

namespace gsim::md {

void PairForces::rebuild(const ForceContext& context) {
  Particles& p = context.particles;
  PairAtoms atoms{p.positions(), p.locals(), p.store.view<std::int32_t>(p.type), {}, p.ids()};
  if (p.has_charges()) atoms.charges = p.store.view<double>(p.charge);
  engine_.set_box(context.box);
  engine_.rebuild(atoms, exclusions_);
}

bool PairForces::load_locals(const ForceContext& context) {
  return engine_.load_locals(context.particles.positions());
}

void PairForces::compute_locals(const ForceContext& context) {
  engine_.compute_locals(context.with_sums);
}

void PairForces::compute_ghosts(const ForceContext& context) {
  engine_.compute_ghosts(context.particles.positions(), context.with_sums);
}

void PairForces::collect(const ForceContext& context, ForceSums& sums) {
  Particles& p = context.particles;
  engine_.collect(p.store.elements<std::int64_t>(p.force), sums);
}

}  // namespace gsim::md
