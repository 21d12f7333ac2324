#include "src/modules/md/bonded/bonded_forces.hpp"

namespace gsim::md {
void BondedForces::set_quanta(const ForceQuanta& quanta) { quanta_ = quanta; }

void BondedForces::fill(Particles& particles) {
  bonds_.fill(particles.store, topology_.bonds, atoms_);
  angles_.fill(particles.store, topology_.angles, atoms_);
  dihedrals_.fill(particles.store, topology_.dihedrals, atoms_);
  special_.fill(particles.store, topology_.bonds, atoms_);
}

BondedJob BondedForces::job(const ForceContext& context) const {
  Particles& p = context.particles;
  BondedJob job{};
  job.position = p.positions().data;
  job.id = p.ids().data;
  job.charge = p.has_charges() ? p.store.elements<double>(p.charge).data : nullptr;
  for (std::size_t a = 0; a < 6; ++a) job.box_matrix[a] = box_matrix_[a];
  job.longest2 = max_arm_ * max_arm_;
  job.force_scale = 1 / quanta_.force;
  job.energy_scale = 1 / quanta_.energy;
  job.largest = 0x1p51;
  job.force = p.store.elements<std::int64_t>(p.force).data;
  job.with_sums = context.with_sums;
  return job;
}

void BondedForces::compute(const ForceContext& context, ForceSums& sums) {
  const BondedJob shared = job(context);
  for (BondedList& list : lists_) list.run(shared);
  // On a device faults are read at steps with sums only, to avoid waiting.
  if (!executor_.is_cuda() || context.with_sums) check_faults(context);
  if (!context.with_sums) return;
  if (sums.energy.empty()) sums.energy.resize(names_.size());
  for (BondedList& list : lists_) {
    ExactSum list_sums[7];
    list.take_sums(list_sums);
    for (int copy = 0; copy < 2; ++copy) {  // ForceSums holds twice the energies and virial
      sums.energy[list.energy()].add(list_sums[0]);
      for (int v = 0; v < 6; ++v) sums.virial[v].add(list_sums[v + 1]);
    }
  }
}

void BondedForces::begin_batch() {
  for (BondedList& list : lists_) list.save_fault();
}

void BondedForces::undo_batch() {
  for (BondedList& list : lists_) list.restore_fault();
}

Index BondedForces::interactions() const {
  Index total = 0;
  for (const BondedList& list : lists_) total += list.size();
  return total;
}

}  // namespace gsim::md
