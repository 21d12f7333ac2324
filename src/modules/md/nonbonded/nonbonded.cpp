#include "src/modules/md/nonbonded/nonbonded.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/nonbonded/pair_passes.hpp"

namespace gsim::md {
namespace {

std::uint32_t high_word(float x) { return __builtin_bit_cast(std::uint32_t, x); }
std::uint32_t high_word(double x) {
  return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x) >> 32);
}

void run_kernel(const PotentialKind& kind, const Executor& executor,
                const ClusterForceJob<float>& job) {
  kind.run_f32(executor, job);
}
void run_kernel(const PotentialKind& kind, const Executor& executor,
                const ClusterForceJob<double>& job) {
  kind.run_f64(executor, job);
}

/// How many bits `wanted` is above `common`, both powers of two; not below 0.
int exponent_above(double wanted, double common) {
  return wanted > common ? std::ilogb(wanted) - std::ilogb(common) : 0;
}

template <class Real>
std::vector<Real> converted(const std::vector<double>& x) {
  std::vector<Real> to(x.size());
  std::transform(x.begin(), x.end(), to.begin(), [](double v) { return static_cast<Real>(v); });
  return to;
}

PairTable one_type(const LennardJonesPair& pair) {
  PairTable table({"1"});
  table.add(0, 0,
            lennard_jones(pair.epsilon, pair.sigma, pair.cutoff,
                          pair.shifted ? Smoothing::shift : Smoothing::cut));
  return table;
}

}  // namespace

class Nonbonded::Engine {
 public:
  virtual ~Engine() = default;
  virtual void set_quanta(const ForceQuanta& quanta) = 0;
  virtual void set_box(const Box& box) = 0;
  virtual void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) = 0;
  virtual bool load_locals(View<const FixedPosition> positions) = 0;
  virtual void compute_locals(bool with_sums) = 0;
  virtual void compute_ghosts(View<const FixedPosition> positions, bool with_sums) = 0;
  virtual void collect(View<std::int64_t> forces, ForceSums& sums) = 0;
  virtual const std::vector<std::int32_t>& order() const = 0;
  virtual Index cluster_pairs() const = 0;
  double cutoff = 0;
  std::vector<std::string> energy_names;
  LargestForce largest;
  ForceQuanta quanta;
};

template <class Real>
class Nonbonded::EngineOf : public Nonbonded::Engine {
  using Charges = std::vector<Four<Real>>;
  static constexpr bool mixed = sizeof(Real) == 4;

 public:
  EngineOf(Executor executor, const Box& box, const PairTable& table,
           const NonbondedOptions& options)
      : pairs_(std::move(executor), box, table.cutoff(), options.skin), id_of_(options.id_of) {
    cutoff = table.cutoff();
    energy_names = {"pair"};
    if (!table.charged().empty()) energy_names.push_back("coulomb");
    const auto workers = static_cast<std::size_t>(pairs_.executor().threads());
    sums_.assign(energy_names.size(), std::vector<PairSums>(workers));
    const double charges = options.largest_charge * options.largest_charge;
    for (PairPass& pass : passes_of(table)) {
      const LargestForce own = pass.largest(charges);
      largest.force = std::max(largest.force, own.force);
      largest.energy = std::max(largest.energy, own.energy);
      if (own.force == 0) continue;  // nothing acts
      passes_.push_back({std::move(pass), own.force, {}, {}, {}, 0});
      passes_.back().largest.assign(workers, 0);
    }
    if (largest.force == 0) largest = {1, 1};
    set_quanta({std::ldexp(power_of_two_above(largest.force), -50),
                std::ldexp(power_of_two_above(largest.energy), -50)});
  }

  void set_quanta(const ForceQuanta& common) override {
    const double force = power_of_two_above(largest.force),
                 energy = power_of_two_above(largest.energy);
    if (!(force <= std::ldexp(common.force, 50)) || !(energy <= std::ldexp(common.energy, 50)))
      throw InputError(
          "forces between atoms may be above 2^50 times the quantum that they are counted in; let "
          "quanta follow from the largest forces of all terms");
    quanta = common;
    // A force that is not noticed as an overlap is below the power of two above the largest one,
    // and below the largest one itself where distances are checked. Energies then are at most four
    // times the largest one, or at most the largest one; they too are rounded to 32 bits.
    const bool all_distances = std::all_of(passes_.begin(), passes_.end(),
                                           [](const Pass& p) { return p.pass.checks_distance(); });
    force_shift_ = mixed ? exponent_above(std::ldexp(force, -28), common.force) : 0;
    energy_shift_ =
        mixed ? exponent_above(std::ldexp(energy, all_distances ? -31 : -29), common.energy) : 0;
    const double qf = std::ldexp(quanta.force, force_shift_);
    for (Pass& p : passes_) {
      p.coefficients = converted<Real>(p.pass.coefficients(1 / qf));
      p.data = converted<Real>(p.pass.data());
      const double limit = p.pass.checks_distance() ? p.strongest / p.pass.closest() / qf
                                                    : (force / qf) * (force / qf);
      p.limit = high_word(static_cast<Real>(limit));
    }
  }

  void set_box(const Box& box) override { pairs_.set_box(box); }

  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) override {
    pairs_.rebuild(atoms, exclusions);
    atoms_ = atoms;
    const auto uses = [&](bool narrow) {
      return std::any_of(passes_.begin(), passes_.end(),
                         [&](const Pass& p) { return is_narrow(p) == narrow; });
    };
    const Index clusters = pairs_.locals().clusters();
    narrow_.reset(pairs_.executor(), uses(true) ? clusters : 0);
    wide_.reset(pairs_.executor(), uses(false) ? clusters : 0);
    if (energy_names.size() > 1) {
      load_charges(pairs_.locals(), local_charges_);
      load_charges(pairs_.ghosts(), ghost_charges_);
    }
  }

  bool load_locals(View<const FixedPosition> positions) override {
    return pairs_.load_locals(positions);
  }

  void compute_locals(bool with_sums) override {
    run(pairs_.local_pass(), local_charges_, with_sums);
  }

  void compute_ghosts(View<const FixedPosition> positions, bool with_sums) override {
    if (pairs_.ghosts().clusters() == 0) return;
    pairs_.load_ghosts(positions);
    run(pairs_.ghost_pass(), ghost_charges_, with_sums);
  }

  void collect(View<std::int64_t> forces, ForceSums& sums) override {
    check_overlap();
    narrow_.collect(pairs_.executor(), pairs_.locals(), forces, force_shift_);
    wide_.collect(pairs_.executor(), pairs_.locals(), forces, force_shift_);
    sums.energy.resize(std::max(sums.energy.size(), energy_names.size()));
    const WideInteger factor = WideInteger{1} << energy_shift_;
    for (std::size_t e = 0; e < sums_.size(); ++e)
      for (PairSums& worker : sums_[e]) {
        sums.energy[e].add(ExactSum(worker.twice[0] * factor));
        for (int v = 0; v < 6; ++v) sums.virial[v].add(ExactSum(worker.twice[v + 1] * factor));
        worker = PairSums{};
      }
  }

  const std::vector<std::int32_t>& order() const override { return pairs_.order(); }
  Index cluster_pairs() const override { return pairs_.cluster_pairs(); }

 private:
  struct Pass {
    PairPass pass;
    double strongest;  // force
    std::vector<Real> coefficients, data;
    std::vector<std::uint32_t> largest;  // by worker
    std::uint32_t limit;
  };

  static bool is_narrow(const Pass& p) { return mixed && p.pass.checks_distance(); }

  void load_charges(const Clustering& clustering, Charges& to) const {
    to.assign(static_cast<std::size_t>(clustering.clusters()), {});
    for (Index c = 0; c < clustering.clusters(); ++c)
      for (int b = 0; b < cluster_size; ++b)
        if (const auto atom = clustering.atom(c, b); atom >= 0)
          to[static_cast<std::size_t>(c)].c[b] = static_cast<Real>(atoms_.charges[atom]);
  }

  void run(const ClusterPass<Real>& list, const Charges& j_charges, bool with_sums) {
    for (Pass& p : passes_) {
      ClusterForceJob<Real> job;
      static_cast<ClusterPass<Real>&>(job) = list;
      job.coefficients = p.coefficients.data();
      job.row = static_cast<Index>(p.pass.row());
      job.types = p.pass.types();
      job.smoothed = p.pass.is_smoothed();
      job.with_energy = with_sums;
      job.i_charges = local_charges_.data();
      job.j_charges = j_charges.data();
      job.data = p.data.data();
      job.energy_scale = static_cast<Real>(std::ldexp(quanta.force, force_shift_) /
                                           std::ldexp(quanta.energy, energy_shift_));
      job.narrow = narrow_.data();
      job.wide = wide_.data();
      job.clusters = pairs_.locals().clusters();
      job.largest = p.largest.data();
      job.sums = sums_[p.pass.kind().is_charged ? 1 : 0].data();
      run_kernel(p.pass.kind(), pairs_.executor(), job);
    }
  }

  void check_overlap() {
    bool overlap = false;
    for (Pass& p : passes_) {
      overlap = overlap || *std::max_element(p.largest.begin(), p.largest.end()) > p.limit;
      std::fill(p.largest.begin(), p.largest.end(), 0u);
    }
    if (overlap) throw NumericalError(overlap_message());
  }

  /// Looks for the pair with the strongest force, compared with what is allowed.
  std::string overlap_message() const {
    struct Worst {
      double excess = 0, distance = 0;
      std::int32_t i = 0, j = 0;
    } worst;
    pairs_.visit_pairs([&](std::int32_t i, std::int32_t j) {
      const Vector3 d = pairs_.box().difference(atoms_.positions[i], atoms_.positions[j]);
      const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (const Pass& p : passes_) {
        const bool typed = p.pass.types() > 1 && atoms_.types.size > 0;
        const PairFunction* u =
            p.pass.between(typed ? atoms_.types[i] : 0, typed ? atoms_.types[j] : 0);
        if (u == nullptr || !(r < u->cutoff())) continue;
        const double charges =
            p.pass.kind().is_charged ? atoms_.charges[i] * atoms_.charges[j] : 1.0;
        const double excess = std::abs(charges * u->force(r)) / p.strongest;
        if (!(excess <= worst.excess)) worst = {excess, r, i, j};  // also where it is no number
        if (std::isnan(excess)) worst.excess = HUGE_VAL;
      }
    });
    const auto id = [&](std::int32_t row) {
      const Index own = atoms_.ids.size > 0 ? Index{atoms_.ids[row]} : Index{row};
      return id_of_ ? id_of_(own) : own;
    };
    const auto [first, second] = std::minmax({id(worst.i), id(worst.j)});
    return fmt::format(
        "atoms {} and {} overlap: they are {:.4g} apart, where the force between them is {:.3g} "
        "times the largest one that is allowed for; start from a configuration without overlaps, "
        "make the time step smaller, or lower `closest` of the potential if such distances are "
        "meant",
        first, second, worst.distance, worst.excess);
  }

  ClusterPairs<Real> pairs_;
  std::function<Index(Index)> id_of_;
  PairAtoms atoms_;
  std::vector<Pass> passes_;
  Reactions<std::int32_t> narrow_;
  Reactions<std::int64_t> wide_;
  Charges local_charges_, ghost_charges_;
  std::vector<std::vector<PairSums>> sums_;  // by energy, by worker
  int force_shift_ = 0, energy_shift_ = 0;   // how many bits coarser quanta are than common ones
};

Nonbonded::Nonbonded(Executor executor, const Box& box, const PairTable& table,
                     const NonbondedOptions& options) {
  if (options.precision == PairPrecision::mixed)
    engine_ = std::make_unique<EngineOf<float>>(std::move(executor), box, table, options);
  else
    engine_ = std::make_unique<EngineOf<double>>(std::move(executor), box, table, options);
}
Nonbonded::Nonbonded(Executor executor, const Box& box, const LennardJonesPair& pair, double skin,
                     PairPrecision precision)
    : Nonbonded(std::move(executor), box, one_type(pair), {skin, precision}) {}
Nonbonded::~Nonbonded() = default;
Nonbonded::Nonbonded(Nonbonded&&) noexcept = default;
Nonbonded& Nonbonded::operator=(Nonbonded&&) noexcept = default;

std::vector<std::string> Nonbonded::energy_names() const { return engine_->energy_names; }
double Nonbonded::cutoff() const { return engine_->cutoff; }
LargestForce Nonbonded::largest() const { return engine_->largest; }
void Nonbonded::set_quanta(const ForceQuanta& quanta) { engine_->set_quanta(quanta); }
const ForceQuanta& Nonbonded::quanta() const { return engine_->quanta; }
void Nonbonded::set_box(const Box& box) { engine_->set_box(box); }
void Nonbonded::rebuild(const PairAtoms& atoms, const Exclusions* exclusions) {
  engine_->rebuild(atoms, exclusions);
}
View<const std::int32_t> Nonbonded::spatial_order() const {
  const auto& order = engine_->order();
  return {order.data(), static_cast<Index>(order.size())};
}
bool Nonbonded::load_locals(View<const FixedPosition> positions) {
  return engine_->load_locals(positions);
}
void Nonbonded::compute_locals(bool with_sums) { engine_->compute_locals(with_sums); }
void Nonbonded::compute_ghosts(View<const FixedPosition> positions, bool with_sums) {
  engine_->compute_ghosts(positions, with_sums);
}
void Nonbonded::collect(View<std::int64_t> forces, ForceSums& sums) {
  engine_->collect(forces, sums);
}
Index Nonbonded::cluster_pairs() const { return engine_->cluster_pairs(); }

}  // namespace gsim::md
