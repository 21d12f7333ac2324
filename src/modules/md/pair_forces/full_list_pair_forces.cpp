#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/md/forces/powers_of_two.hpp"
#include "src/modules/md/neighbour_lists/over_full_list.hpp"
#include "src/modules/md/pair_forces/scaled_passes.hpp"

namespace gsim::md {
namespace {

void run_kernel(const PotentialKind& kind, const Executor& e, const FullForceJob<float>& job) {
  kind.full_f32(e, job);
}
void run_kernel(const PotentialKind& kind, const Executor& e, const FullForceJob<double>& job) {
  kind.full_f64(e, job);
}

template <class Real>
class FullListPairForcesOf final : public OverFullList<Real, FullListPairForces> {
  using Base = OverFullList<Real, FullListPairForces>;
  using Base::list;
  using Pass = typename ScaledPasses<Real>::Pass;

 public:
  FullListPairForcesOf(const Executor& executor, const Box& box, const PairTable& table,
                       const PairForceOptions& options, int capacity)
      : Base(executor, box, table.cutoff(), options.skin, capacity, ListedRows::locals,
             !table.charged().empty()),
        passes_(table, options.largest_charge),
        id_of_(options.id_of),
        device_sums_(executor, 0) {
    sums_.resize(passes_.energies());
    upload();
  }

  double cutoff() const override { return passes_.cutoff(); }
  LargestForce largest() const override { return passes_.largest(); }
  const ForceQuanta& quanta() const override { return passes_.quanta(); }
  void set_quanta(const ForceQuanta& quanta) override {
    passes_.set_quanta(quanta);
    upload();
  }
  int capacity() const override { return list().capacity(); }
  bool can_use_device_box() const override {
    return list().executor().is_cuda() && sums_.size() <= DeviceSums::most;
  }
  void use_device_box(const DeviceBox* box, DeviceForces& forces) override {
    list().use_device_box(box);
    list().set_limits(forces);
    device_sums_.resize_discard(DeviceSums::count * static_cast<Index>(sums_.size()));
    forces.energy_quantum = quanta().energy;
    for (std::size_t e = 0; e < sums_.size(); ++e)
      forces.sums[forces.kinds++] = {device_sums(e), passes_.energy_shift(), 1};
    Base::set_device_tail(list().executor(), forces.tail);
    is_on_device_ = true;
  }
  void leave_device_box() override {
    Base::leave_device_box();
    is_on_device_ = false;
  }

  void list_pairs(const PairAtoms& atoms, const Exclusions* exclusions) override {
    list().rebuild(atoms, exclusions);
  }
  ListState read_positions(View<const FixedPosition> positions) override {
    return Base::read_list(positions);
  }
  void compute_local_pairs(View<std::int64_t> forces, bool with_sums) override {
    run(false, forces, with_sums);
  }
  bool replaces_forces() const override { return !on_device_.empty(); }
  void replace_by_local_pairs(View<std::int64_t> forces, bool with_sums) override {
    run(false, forces, with_sums, /*replaces=*/true);
  }
  void compute_ghost_pairs(View<const FixedPosition> positions, View<std::int64_t> forces,
                           bool with_sums) override {
    if (list().ghosts() == 0) return;
    list().load_ghosts(positions);
    run(true, forces, with_sums);
  }
  void collect_forces(View<std::int64_t> /*forces*/, ForceSums& sums) override {
    sums.energy.resize(std::max(sums.energy.size(), sums_.size()));
    for (std::size_t e = 0; e < sums_.size(); ++e) {
      sums.energy[e].add(shifted(sums_[e].energy_virial[0], passes_.energy_shift()));
      for (int v = 0; v < 6; ++v)
        sums.virial[v].add(shifted(sums_[e].energy_virial[v + 1], passes_.energy_shift()));
      sums_[e] = {};
    }
  }
  AtomPairTerms atom_terms(const PairAtoms& atoms, const Exclusions* exclusions) override {
    list().rebuild(atoms, exclusions);
    (void)list().load_locals(atoms.positions);  // the lists were made from these positions
    Array<std::int64_t> forces(list().executor(), 3 * atoms.locals),
        terms(list().executor(), 7 * atoms.locals);
    row_terms_ = terms.view().data;
    compute_local_pairs(forces.view(), true);
    compute_ghost_pairs(atoms.positions, forces.view(), true);
    row_terms_ = nullptr;
    std::fill(sums_.begin(), sums_.end(), Sums{});
    AtomPairTerms result{terms.to_host(),
                         std::ldexp(passes_.quanta().energy, passes_.energy_shift())};
    Base::check();
    return result;
  }

 private:
  /// The coefficients and tables of a pass in executor memory.
  struct DevicePass {
    Array<Real> coefficients, data;
  };
  struct Sums {
    ExactSum energy_virial[7];
  };

  WideInteger* device_sums(std::size_t energy) {
    return device_sums_.view().data + DeviceSums::count * energy;
  }
  /// Copies coefficients and tables of all passes to executor memory.
  void upload() {
    on_device_.clear();
    for (const Pass& p : passes_.passes())
      on_device_.push_back({Array<Real>(list().executor(), std::span<const Real>(p.coefficients)),
                            Array<Real>(list().executor(), std::span<const Real>(p.data))});
  }

  /// Runs the kernels of all passes for pairs of locals, or of locals and ghosts.
  void run(bool ghosts, View<std::int64_t> forces, bool with_sums, bool replaces = false) {
    for (std::size_t k = 0; k < on_device_.size(); ++k) {
      const Pass& p = passes_.passes()[k];
      FullForceJob<Real> job;
      static_cast<FullListPass<Real>&>(job) = list().pass(ghosts);
      job.coefficients = on_device_[k].coefficients.view().data;
      job.data = on_device_[k].data.view().data;
      job.row_length = static_cast<Index>(p.pass.row_length());
      job.types = p.pass.types();
      job.smoothed = p.pass.is_smoothed();
      job.with_energy = with_sums;
      job.energy_scale = passes_.energy_scale();
      job.limit = p.limit;
      job.force_shift = passes_.force_shift();
      job.forces = forces.data;
      job.kept = replaces && k == 0 ? 0 : -1;
      job.sums = sums_[passes_.energy_of(p)].energy_virial;
      if (is_on_device_) job.device_sums = device_sums(passes_.energy_of(p));
      job.row_terms = row_terms_;
      run_kernel(p.pass.kind(), list().executor(), job);
    }
  }

  std::string message_of_overlap(std::uint64_t id) const override {
    const auto index = static_cast<Index>(id);
    return fmt::format(
        "atom {} and another one overlap: the force between them is larger than the largest one "
        "allowed; start from a configuration without overlaps (a table [push_off] separates the "
        "atoms), make the "
        "time "
        "step smaller, or lower `closest` of the potential if such distances are intended",
        id_of_ ? id_of_(index) : index);
  }

  ScaledPasses<Real> passes_;
  std::function<Index(Index)> id_of_;
  std::vector<DevicePass> on_device_;
  std::vector<Sums> sums_;          // by energy, in the quanta of the kernels
  Array<WideInteger> device_sums_;  // the same after use_device_box()
  bool is_on_device_ = false;
  std::int64_t* row_terms_ = nullptr;  // of atom_terms(), in executor memory; null otherwise
};

}  // namespace

std::unique_ptr<FullListPairForces> make_full_list_pair_forces(const Executor& executor,
                                                               const Box& box,
                                                               const PairTable& table,
                                                               const PairForceOptions& options,
                                                               int capacity) {
  if (options.precision == PairPrecision::mixed)
    return std::make_unique<FullListPairForcesOf<float>>(executor, box, table, options, capacity);
  return std::make_unique<FullListPairForcesOf<double>>(executor, box, table, options, capacity);
}

}  // namespace gsim::md
