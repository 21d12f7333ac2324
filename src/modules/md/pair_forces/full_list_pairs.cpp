#include "src/modules/md/pair_forces/full_list_pairs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "src/modules/md/forces/powers_of_two.hpp"
#include "src/modules/md/neighbour_lists/full_list.hpp"
#include "src/modules/md/pair_forces/scaled_passes.hpp"

namespace gsim::md {
namespace {

void run_kernel(const PotentialKind& kind, const Executor& e, const FullForceJob<float>& job) {
  kind.full_f32(e, job);
}
void run_kernel(const PotentialKind& kind, const Executor& e, const FullForceJob<double>& job) {
  kind.full_f64(e, job);
}

}  // namespace

class FullListPairs::Engine {
 public:
  virtual ~Engine() = default;
  virtual const std::vector<std::string>& energy_names() const = 0;
  virtual double cutoff() const = 0;
  virtual const LargestForce& largest() const = 0;
  virtual const ForceQuanta& quanta() const = 0;
  virtual void set_quanta(const ForceQuanta& quanta) = 0;
  virtual void set_box(const Box& box) = 0;
  virtual void set_skin(double skin) = 0;
  virtual void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) = 0;
  virtual View<const std::int32_t> spatial_order() const = 0;
  virtual bool load_locals(View<const FixedPosition> positions) = 0;
  virtual void compute_locals(View<std::int64_t> forces, bool with_sums) = 0;
  virtual void compute_ghosts(View<const FixedPosition> positions, View<std::int64_t> forces,
                              bool with_sums) = 0;
  virtual void collect(ForceSums& sums) = 0;
  virtual std::uint64_t take_overlap(bool is_read) = 0;
  virtual FullListPairs::AtomTerms atom_terms(const PairAtoms& atoms,
                                              const Exclusions* exclusions) = 0;
  virtual int capacity() const = 0;
  virtual std::int64_t work(std::span<std::int64_t> shares) const = 0;
};

namespace {

template <class Real>
class EngineOf final : public FullListPairs::Engine {
  using Pass = typename ScaledPasses<Real>::Pass;

 public:
  EngineOf(const Executor& executor, const Box& box, const PairTable& table,
           const NonbondedOptions& options, int capacity)
      : passes_(table, options.largest_charge),
        list_(executor, box, table.cutoff(), options.skin, capacity) {
    sums_.resize(energy_names().size());
    upload();
  }

  const std::vector<std::string>& energy_names() const override { return passes_.energy_names(); }
  double cutoff() const override { return passes_.cutoff(); }
  const LargestForce& largest() const override { return passes_.largest(); }
  const ForceQuanta& quanta() const override { return passes_.quanta(); }
  void set_quanta(const ForceQuanta& quanta) override {
    passes_.set_quanta(quanta);
    upload();
  }
  void set_box(const Box& box) override { list_.set_box(box); }
  void set_skin(double skin) override { list_.set_skin(skin); }
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) override {
    list_.rebuild(atoms, exclusions);
  }
  View<const std::int32_t> spatial_order() const override { return list_.spatial_order(); }
  bool load_locals(View<const FixedPosition> positions) override {
    return list_.load_locals(positions);
  }
  void compute_locals(View<std::int64_t> forces, bool with_sums) override {
    run(false, forces, with_sums);
  }
  void compute_ghosts(View<const FixedPosition> positions, View<std::int64_t> forces,
                      bool with_sums) override {
    if (list_.ghosts() == 0) return;
    list_.load_ghosts(positions);
    run(true, forces, with_sums);
  }
  void collect(ForceSums& sums) override {
    sums.energy.resize(std::max(sums.energy.size(), sums_.size()));
    for (std::size_t e = 0; e < sums_.size(); ++e) {
      sums.energy[e].add(shifted(sums_[e].of[0], passes_.energy_shift()));
      for (int v = 0; v < 6; ++v)
        sums.virial[v].add(shifted(sums_[e].of[v + 1], passes_.energy_shift()));
      sums_[e] = {};
    }
  }
  std::uint64_t take_overlap(bool is_read) override {
    if (!is_read) list_.read_words();
    return list_.take_overlap();
  }
  FullListPairs::AtomTerms atom_terms(const PairAtoms& atoms,
                                      const Exclusions* exclusions) override {
    list_.rebuild(atoms, exclusions);
    (void)list_.load_locals(atoms.positions);  // where the lists were made: they are good
    Array<std::int64_t> forces(list_.executor(), 3 * atoms.locals),
        terms(list_.executor(), 7 * atoms.locals);
    row_terms_ = terms.view().data;
    compute_locals(forces.view(), true);
    compute_ghosts(atoms.positions, forces.view(), true);
    row_terms_ = nullptr;
    std::fill(sums_.begin(), sums_.end(), Sums{});
    return {terms.to_host(), std::ldexp(passes_.quanta().energy, passes_.energy_shift())};
  }
  int capacity() const override { return list_.capacity(); }
  std::int64_t work(std::span<std::int64_t> shares) const override { return list_.work(shares); }

 private:
  struct DevicePass {
    Array<Real> coefficients, data;
  };
  struct Sums {
    ExactSum of[7];
  };

  void upload() {
    on_device_.clear();
    for (const Pass& p : passes_.passes())
      on_device_.push_back({Array<Real>(list_.executor(), std::span<const Real>(p.coefficients)),
                            Array<Real>(list_.executor(), std::span<const Real>(p.data))});
  }

  void run(bool ghosts, View<std::int64_t> forces, bool with_sums) {
    for (std::size_t k = 0; k < on_device_.size(); ++k) {
      const Pass& p = passes_.passes()[k];
      FullForceJob<Real> job;
      static_cast<FullListPass<Real>&>(job) = list_.pass(ghosts);
      job.coefficients = on_device_[k].coefficients.view().data;
      job.data = on_device_[k].data.view().data;
      job.row = static_cast<Index>(p.pass.row());
      job.types = p.pass.types();
      job.smoothed = p.pass.is_smoothed();
      job.with_energy = with_sums;
      job.energy_scale = passes_.energy_scale();
      job.limit = p.limit;
      job.force_shift = passes_.force_shift();
      job.forces = forces.data;
      job.sums = sums_[passes_.energy_of(p)].of;
      job.row_terms = row_terms_;
      run_kernel(p.pass.kind(), list_.executor(), job);
    }
  }

  ScaledPasses<Real> passes_;
  FullList<Real> list_;
  std::vector<DevicePass> on_device_;
  std::vector<Sums> sums_;  // by energy, in the kernels' quanta
  std::int64_t* row_terms_ = nullptr;
};

}  // namespace

FullListPairs::FullListPairs(const Executor& executor, const Box& box, const PairTable& table,
                             const NonbondedOptions& options, int capacity)
    : id_of_(options.id_of) {
  if (options.precision == PairPrecision::mixed)
    engine_ = std::make_unique<EngineOf<float>>(executor, box, table, options, capacity);
  else
    engine_ = std::make_unique<EngineOf<double>>(executor, box, table, options, capacity);
}
FullListPairs::~FullListPairs() = default;

std::vector<std::string> FullListPairs::energy_names() const { return engine_->energy_names(); }
double FullListPairs::cutoff() const { return engine_->cutoff(); }
LargestForce FullListPairs::largest() const { return engine_->largest(); }
void FullListPairs::set_quanta(const ForceQuanta& quanta) { engine_->set_quanta(quanta); }
ForceQuanta FullListPairs::quanta() const { return engine_->quanta(); }
void FullListPairs::set_box(const Box& box) { engine_->set_box(box); }
void FullListPairs::set_skin(double skin) { engine_->set_skin(skin); }
void FullListPairs::rebuild(const PairAtoms& atoms, const Exclusions* exclusions) {
  engine_->rebuild(atoms, exclusions);
}
View<const std::int32_t> FullListPairs::spatial_order() const { return engine_->spatial_order(); }
void FullListPairs::compute_locals(View<std::int64_t> forces, bool with_sums) {
  engine_->compute_locals(forces, with_sums);
}
void FullListPairs::compute_ghosts(View<const FixedPosition> positions, View<std::int64_t> forces,
                                   bool with_sums) {
  engine_->compute_ghosts(positions, forces, with_sums);
}
void FullListPairs::collect(View<std::int64_t>, ForceSums& sums) { engine_->collect(sums); }
int FullListPairs::capacity() const { return engine_->capacity(); }
std::int64_t FullListPairs::work(std::span<std::int64_t> shares) const {
  return engine_->work(shares);
}

void FullListPairs::check_overlap(std::uint64_t id) const {
  if (id == no_particle) return;
  const auto own = static_cast<Index>(id);
  throw NumericalError(fmt::format(
      "atom {} and another one overlap: the force between them is larger than what is allowed for; "
      "start from a configuration without overlaps ([push_off] makes one), make the time step "
      "smaller, or lower `closest` of the potential if such distances are meant",
      id_of_ ? id_of_(own) : own));
}

bool FullListPairs::load_locals(View<const FixedPosition> positions) {
  const bool is_good = engine_->load_locals(positions);
  check_overlap(engine_->take_overlap(true));
  return is_good;
}
FullListPairs::AtomTerms FullListPairs::atom_terms(const PairAtoms& atoms,
                                                   const Exclusions* exclusions) {
  AtomTerms terms = engine_->atom_terms(atoms, exclusions);
  check();
  return terms;
}
void FullListPairs::check() { check_overlap(engine_->take_overlap(false)); }

}  // namespace gsim::md
