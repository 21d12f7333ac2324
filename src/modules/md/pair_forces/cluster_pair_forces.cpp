#include "src/modules/md/pair_forces/cluster_pair_forces.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"
#include "src/modules/md/pair_forces/scaled_passes.hpp"

namespace gsim::md {
namespace {

void run_kernel(const PotentialKind& kind, const Executor& executor,
                const ClusterForceJob<float>& job) {
  kind.cluster_f32(executor, job);
}
void run_kernel(const PotentialKind& kind, const Executor& executor,
                const ClusterForceJob<double>& job) {
  kind.cluster_f64(executor, job);
}

template <class Real>
class ClusterPairForces final : public PairForces {
  using Pass = typename ScaledPasses<Real>::Pass;
  using Charges = std::vector<Four<Real>>;
  static constexpr bool mixed = sizeof(Real) == 4;

 public:
  ClusterPairForces(const Executor& executor, const Box& box, const PairTable& table,
                    const PairForceOptions& options)
      : PairForces(!table.charged().empty()),
        passes_(table, options.largest_charge),
        pairs_(executor, box, table.cutoff(), options.skin),
        id_of_(options.id_of) {
    const auto workers = static_cast<std::size_t>(executor.threads());
    sums_.assign(passes_.energies(), std::vector<PairSums>(workers));
    largest_.assign(passes_.passes().size(), std::vector<std::uint32_t>(workers, 0));
  }

  double cutoff() const override { return passes_.cutoff(); }
  LargestForce largest() const override { return passes_.largest(); }
  void set_quanta(const ForceQuanta& common) override { passes_.set_quanta(common); }
  const ForceQuanta& quanta() const override { return passes_.quanta(); }
  void box_changed(const Box& box) override { pairs_.set_box(box); }
  void set_skin(double skin) override { pairs_.set_skin(skin); }
  View<const std::int32_t> spatial_order() override {
    const auto& order = pairs_.order();
    return {order.data(), static_cast<Index>(order.size())};
  }
  Index list_entries() const override { return pairs_.cluster_pairs(); }
  std::int64_t work(std::span<std::int64_t> shares) const override { return pairs_.work(shares); }
  ListState read_positions(View<const FixedPosition> positions) override {
    return pairs_.read_locals(positions);
  }
  void shorten_lists() override { pairs_.shorten_lists(); }

  void list_pairs(const PairAtoms& atoms, const Exclusions* exclusions) override {
    pairs_.rebuild(atoms, exclusions);
    atoms_ = atoms;
    const auto uses = [&](bool narrow) {
      return std::any_of(passes_.passes().begin(), passes_.passes().end(),
                         [&](const Pass& p) { return is_narrow(p) == narrow; });
    };
    const Index clusters = pairs_.locals().clusters();
    narrow_.reset(pairs_.executor(), uses(true) ? clusters : 0);
    wide_.reset(pairs_.executor(), uses(false) ? clusters : 0);
    if (passes_.has_charges()) {
      load_charges(pairs_.locals(), local_charges_);
      load_charges(pairs_.ghosts(), ghost_charges_);
    }
  }

  void compute_local_pairs(View<std::int64_t> /*forces*/, bool with_sums) override {
    run(pairs_.local_pass(), local_charges_, with_sums);
  }

  void compute_ghost_pairs(View<const FixedPosition> positions, View<std::int64_t> /*forces*/,
                           bool with_sums) override {
    if (pairs_.ghosts().clusters() == 0) return;
    pairs_.load_ghosts(positions);
    run(pairs_.ghost_pass(), ghost_charges_, with_sums);
  }

  void collect_forces(View<std::int64_t> forces, ForceSums& sums) override {
    check_overlap();
    narrow_.collect(pairs_.executor(), pairs_.locals(), forces, passes_.force_shift());
    wide_.collect(pairs_.executor(), pairs_.locals(), forces, passes_.force_shift());
    sums.energy.resize(std::max(sums.energy.size(), sums_.size()));
    const WideInteger factor = WideInteger{1} << passes_.energy_shift();
    for (std::size_t e = 0; e < sums_.size(); ++e)
      for (PairSums& worker : sums_[e]) {
        sums.energy[e].add(ExactSum(worker.twice[0] * factor));
        for (int v = 0; v < 6; ++v) sums.virial[v].add(ExactSum(worker.twice[v + 1] * factor));
        worker = PairSums{};
      }
  }

 private:
  /// Whether the kernels of the pass sum forces in 32 bits (is_narrow() of cluster_list.hpp).
  static bool is_narrow(const Pass& p) { return mixed && p.pass.checks_force_over_r(); }

  void load_charges(const Clustering& clustering, Charges& to) const {
    to.assign(static_cast<std::size_t>(clustering.clusters()), {});
    for (Index c = 0; c < clustering.clusters(); ++c)
      for (int b = 0; b < cluster_size; ++b)
        if (const auto atom = clustering.atom(c, b); atom >= 0)
          to[static_cast<std::size_t>(c)].c[b] = static_cast<Real>(atoms_.charges[atom]);
  }

  void run(const ClusterPass<Real>& list, const Charges& j_charges, bool with_sums) {
    for (std::size_t k = 0; k < largest_.size(); ++k) {
      const Pass& p = passes_.passes()[k];
      ClusterForceJob<Real> job;
      static_cast<ClusterPass<Real>&>(job) = list;
      job.coefficients = p.coefficients.data();
      job.row_length = static_cast<Index>(p.pass.row_length());
      job.types = p.pass.types();
      job.smoothed = p.pass.is_smoothed();
      job.with_energy = with_sums;
      job.i_charges = local_charges_.data();
      job.j_charges = j_charges.data();
      job.data = p.data.data();
      job.energy_scale = passes_.energy_scale();
      job.narrow = narrow_.data();
      job.wide = wide_.data();
      job.clusters = pairs_.locals().clusters();
      job.largest = largest_[k].data();
      job.sums = sums_[passes_.energy_of(p)].data();
      run_kernel(p.pass.kind(), pairs_.executor(), job);
    }
  }

  void check_overlap() {
    bool overlap = false;
    for (std::size_t k = 0; k < largest_.size(); ++k) {
      auto& largest = largest_[k];
      overlap =
          overlap || *std::max_element(largest.begin(), largest.end()) > passes_.passes()[k].limit;
      std::fill(largest.begin(), largest.end(), 0u);
    }
    if (overlap) throw NumericalError(overlap_message());
  }

  /// Names the pair whose force exceeds the largest allowed one by the largest factor.
  std::string overlap_message() const {
    struct Overlap {
      double excess = 0, distance = 0;
      std::int32_t i = 0, j = 0;
    } worst;
    pairs_.visit_pairs([&](std::int32_t i, std::int32_t j) {
      const Vector3 d = pairs_.box().difference(atoms_.positions[i], atoms_.positions[j]);
      const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (const Pass& p : passes_.passes()) {
        const bool typed = p.pass.types() > 1 && atoms_.types.size > 0;
        const PairFunction* u =
            p.pass.between(typed ? atoms_.types[i] : 0, typed ? atoms_.types[j] : 0);
        if (u == nullptr || !(r < u->cutoff())) continue;
        const double charges =
            p.pass.kind().is_charged ? atoms_.charges[i] * atoms_.charges[j] : 1.0;
        const double excess = std::abs(charges * u->force(r)) / p.max_force;
        if (!(excess <= worst.excess)) worst = {excess, r, i, j};  // true also for NaN
        if (std::isnan(excess)) worst.excess = HUGE_VAL;
      }
    });
    const auto id = [&](std::int32_t row) {
      const Index index = atoms_.ids.size > 0 ? Index{atoms_.ids[row]} : Index{row};
      return id_of_ ? id_of_(index) : index;
    };
    const auto [first, second] = std::minmax({id(worst.i), id(worst.j)});
    return fmt::format(
        "atoms {} and {} overlap: they are {:.4g} apart, where the force between them is {:.3g} "
        "times the largest force allowed; start from a configuration without overlaps "
        "(a table [push_off] separates the atoms), make the time step smaller, or lower `closest` "
        "of the potential "
        "if such distances are "
        "intended",
        first, second, worst.distance, worst.excess);
  }

  ScaledPasses<Real> passes_;
  ClusterPairs<Real> pairs_;
  std::function<Index(Index)> id_of_;
  PairAtoms atoms_;
  std::vector<std::vector<std::uint32_t>> largest_;  // by pass, by thread
  Reactions<std::int32_t> narrow_;                   // of passes for which is_narrow() holds
  Reactions<std::int64_t> wide_;                     // of the other passes
  Charges local_charges_, ghost_charges_;
  std::vector<std::vector<PairSums>> sums_;  // by energy, by thread
};

}  // namespace

std::unique_ptr<PairForces> make_cluster_pair_forces(const Executor& executor, const Box& box,
                                                     const PairTable& table,
                                                     const PairForceOptions& options) {
  if (options.precision == PairPrecision::mixed)
    return std::make_unique<ClusterPairForces<float>>(executor, box, table, options);
  return std::make_unique<ClusterPairForces<double>>(executor, box, table, options);
}

}  // namespace gsim::md
