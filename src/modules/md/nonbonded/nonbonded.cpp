#include "src/modules/md/nonbonded/nonbonded.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gsim/core/error.hpp"
#include "kernels/md/launchers.hpp"

namespace gsim::md {
namespace {

/// The least power of two that is not below x > 0.
double power_of_two_above(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

/// How many bits `wanted` is above `common`, both powers of two; not below 0.
int exponent_above(double wanted, double common) {
  return wanted > common ? std::ilogb(wanted) - std::ilogb(common) : 0;
}

// Where quanta come from. At 0.7 sigma a pair's energy is 255 epsilon, its force 4664 epsilon/sigma
// and its virial 3265 epsilon; nearer, the pair is an overlap. A mixed force quantum is 2^-28 of
// the power of two above that force. Points that keep 0.7 sigma from each other have at most 12
// neighbours at that distance (kissing number), the forces of at most 9 of them have a part along
// one direction (a closed half of the shell), and these parts add to less than 4 forces; farther
// shells are weaker by 2^13 at twice the distance. So a sum stays below 2^31 quanta.
constexpr double closest = 0.7;
constexpr double largest_force = 4664, largest_virial = 3265;

std::uint32_t high_word(float x) { return __builtin_bit_cast(std::uint32_t, x); }
std::uint32_t high_word(double x) {
  return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x) >> 32);
}

void run_forces(const Executor& executor, const ClusterForceJob<float>& job) {
  cluster_forces_lj_f32(executor, job);
}
void run_forces(const Executor& executor, const ClusterForceJob<double>& job) {
  cluster_forces_lj_f64(executor, job);
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
  LargestForce largest;
  ForceQuanta quanta;
};

template <class Real>
class Nonbonded::EngineOf : public Nonbonded::Engine {
  using Force = typename PairIntegers<Real>::Force;
  static constexpr bool mixed = sizeof(Real) == 4;

 public:
  EngineOf(Executor executor, const Box& box, const LennardJonesPair& pair, double skin)
      : pairs_(std::move(executor), box, pair.cutoff, skin), pair_(pair) {
    const auto workers = static_cast<std::size_t>(pairs_.executor().threads());
    largest_.assign(workers, 0);
    sums_.assign(workers, PairSums{});
    cutoff = pair.cutoff;
    largest = {largest_force * pair.epsilon / pair.sigma, largest_virial * pair.epsilon};
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
    force_shift_ = mixed ? exponent_above(std::ldexp(force, -28), common.force) : 0;
    energy_shift_ = mixed ? exponent_above(std::ldexp(energy, -31), common.energy) : 0;
    set_coefficients();
  }

  void set_box(const Box& box) override { pairs_.set_box(box); }

  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) override {
    pairs_.rebuild(atoms, exclusions);
    reactions_.reset(pairs_.executor(), pairs_.locals().clusters());
  }

  bool load_locals(View<const FixedPosition> positions) override {
    return pairs_.load_locals(positions);
  }

  void compute_locals(bool with_sums) override { run(pairs_.local_pass(), with_sums); }

  void compute_ghosts(View<const FixedPosition> positions, bool with_sums) override {
    if (pairs_.ghosts().clusters() == 0) return;
    pairs_.load_ghosts(positions);
    run(pairs_.ghost_pass(), with_sums);
  }

  void collect(View<std::int64_t> forces, ForceSums& sums) override {
    check_overlap();
    reactions_.collect(pairs_.executor(), pairs_.locals(), forces, force_shift_);
    sums.energy.resize(1);
    const WideInteger factor = WideInteger{1} << energy_shift_;
    for (PairSums& worker : sums_) {
      sums.energy[0].add(ExactSum(worker.twice[0] * factor));
      for (int v = 0; v < 6; ++v) sums.virial[v].add(ExactSum(worker.twice[v + 1] * factor));
      worker = PairSums{};
    }
  }

  const std::vector<std::int32_t>& order() const override { return pairs_.order(); }
  Index cluster_pairs() const override { return pairs_.cluster_pairs(); }

 private:
  void set_coefficients() {
    const double qf = std::ldexp(quanta.force, force_shift_);
    const double qe = std::ldexp(quanta.energy, energy_shift_);
    const double s3 = pair_.sigma * pair_.sigma * pair_.sigma, s6 = s3 * s3;
    const double c12 = 4 * pair_.epsilon * s6 * s6, c6 = 4 * pair_.epsilon * s6;
    job_.force[0] = static_cast<Real>(12 * c12 / qf);
    job_.force[1] = static_cast<Real>(-6 * c6 / qf);
    const double rc3 = pair_.cutoff * pair_.cutoff * pair_.cutoff, rc6 = rc3 * rc3;
    const double shift = pair_.shifted ? (c12 / rc6 - c6) / rc6 : 0.0;
    job_.energy[0] = static_cast<Real>(c12 / qe);
    job_.energy[1] = static_cast<Real>(-c6 / qe);
    job_.energy[2] = static_cast<Real>(-shift / qe);
    job_.cutoff2 = static_cast<Real>(pair_.cutoff * pair_.cutoff);
    job_.virial_scale = static_cast<Real>(qf / qe);
    const double force_over_r = largest.force / (closest * pair_.sigma);
    limit_ = high_word(static_cast<Real>(force_over_r / qf));
  }

  void run(const ClusterPass<Real>& pass, bool with_sums) {
    static_cast<ClusterPass<Real>&>(job_) = pass;
    job_.reactions = reactions_.data();
    job_.clusters = reactions_.clusters();
    job_.with_energy = with_sums;
    job_.largest = largest_.data();
    job_.sums = sums_.data();
    run_forces(pairs_.executor(), job_);
  }

  void check_overlap() {
    const bool overlap = *std::max_element(largest_.begin(), largest_.end()) > limit_;
    std::fill(largest_.begin(), largest_.end(), 0u);
    if (overlap)
      throw NumericalError(
          "two atoms are nearer to each other than 0.7 sigma, where forces leave the range that "
          "they are summed in; start from a configuration without overlaps or make the time step "
          "smaller");
  }

  ClusterPairs<Real> pairs_;
  LennardJonesPair pair_;
  Reactions<Force> reactions_;
  std::vector<std::uint32_t> largest_;
  std::vector<PairSums> sums_;
  std::uint32_t limit_ = 0;
  int force_shift_ = 0, energy_shift_ = 0;  // how many bits coarser quanta are than common ones
  ClusterForceJob<Real> job_{};
};

Nonbonded::Nonbonded(Executor executor, const Box& box, const LennardJonesPair& pair, double skin,
                     PairPrecision precision) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(pair.epsilon) || !positive(pair.sigma))
    throw InputError("epsilon and sigma must be positive");
  if (precision == PairPrecision::mixed)
    engine_ = std::make_unique<EngineOf<float>>(std::move(executor), box, pair, skin);
  else
    engine_ = std::make_unique<EngineOf<double>>(std::move(executor), box, pair, skin);
}
Nonbonded::~Nonbonded() = default;
Nonbonded::Nonbonded(Nonbonded&&) noexcept = default;
Nonbonded& Nonbonded::operator=(Nonbonded&&) noexcept = default;

std::vector<std::string> Nonbonded::energy_names() const { return {"pair"}; }
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
