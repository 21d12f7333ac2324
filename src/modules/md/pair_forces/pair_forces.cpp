#include "src/modules/md/pair_forces/pair_forces.hpp"

#include <cmath>

#include "src/modules/md/pair_forces/cluster_pair_forces.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"

namespace gsim::md {
namespace {

ExactSum rounded(double quanta) { return ExactSum(static_cast<WideInteger>(std::rint(quanta))); }

View<std::int64_t> forces_of(const ForceContext& context) {
  Particles& p = context.particles;
  return p.store.elements<std::int64_t>(p.force);
}

}  // namespace

void PairForces::add_tail(TailFunction tail, std::vector<Index> counts) {
  tail_ = std::move(tail);
  counts_ = std::move(counts);
}

void PairForces::set_device_tail(const Executor& executor, DeviceTail& tail) {
  if (!tail_) return;
  const std::vector<double>& integrals = tail_->pressure_integrals();
  if (!device_tail_) {
    std::vector<double> values;
    for (const Index a : counts_)
      for (const Index b : counts_)
        values.push_back(static_cast<double>(a) * static_cast<double>(b));
    values.insert(values.end(), integrals.begin(), integrals.end());
    device_tail_.emplace(executor, values);
  }
  const auto pairs = static_cast<Index>(integrals.size());
  const double* const at = device_tail_->view().data;
  tail = {{at, pairs}, {at + pairs, pairs}};
}

std::vector<std::string> PairForces::energy_names() const {
  std::vector<std::string> names{"pair"};
  if (has_charges_) names.emplace_back("coulomb");
  if (tail_) names.emplace_back("tail");
  return names;
}

void PairForces::rebuild(const ForceContext& context) {
  box_changed(context.box);
  list_pairs(pair_atoms(context.particles), exclusions_);
}

ListState PairForces::read_locals(const ForceContext& context) {
  return read_positions(context.particles.positions());
}

bool PairForces::load_locals(const ForceContext& context) {
  return load_positions(context.particles.positions());
}

bool PairForces::load_positions(View<const FixedPosition> positions) {
  const ListState state = read_positions(positions);
  if (state == ListState::due) shorten_lists();
  return state != ListState::stale;
}

void PairForces::compute_locals(const ForceContext& context) {
  if (replaces_forces())
    replace_by_local_pairs(forces_of(context), context.with_sums);
  else
    compute_local_pairs(forces_of(context), context.with_sums);
}

void PairForces::compute_ghosts(const ForceContext& context) {
  compute_ghost_pairs(context.particles.positions(), forces_of(context), context.with_sums);
}

void PairForces::collect(const ForceContext& context, ForceSums& sums) {
  collect_forces(forces_of(context), sums);
  if (!tail_) return;
  const std::size_t term = table_energies();
  sums.energy.resize(term + 1);
  if (!context.with_sums || !context.communicator.is_root()) return;
  // Sums hold twice the energies and virials.
  const TailCorrection tail = tail_->at(counts_, context.box.volume());
  const double quantum = quanta().energy;
  sums.energy[term].add(rounded(2 * tail.energy / quantum));
  for (int a = 0; a < 3; ++a) sums.virial[a].add(rounded(2 * tail.pressure_volume / quantum));
}

std::unique_ptr<PairForces> make_pair_forces(const Executor& executor, const Box& box,
                                             const PairTable& table,
                                             const PairForceOptions& options) {
  if (executor.is_cuda()) return make_full_list_pair_forces(executor, box, table, options);
  return make_cluster_pair_forces(executor, box, table, options);
}

}  // namespace gsim::md
