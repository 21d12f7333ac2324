#include "src/modules/md/nonbonded/nonbonded.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gsim/core/error.hpp"
#include "kernels/md/launchers.hpp"
#include "src/modules/md/nonbonded/pair_list.hpp"

namespace gsim::md {
namespace {

/// The least power of two that is not below x > 0.
double power_of_two_above(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
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

void set_position(std::uint32_t& to, std::uint64_t x) { to = rounded_position(x); }
void set_position(std::uint64_t& to, std::uint64_t x) { to = x & ~std::uint64_t{0xfff}; }

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
  virtual void rebuild(View<const FixedPosition> positions, Index locals) = 0;
  virtual bool load_locals(View<const FixedPosition> positions) = 0;
  virtual void compute_locals(bool with_energy) = 0;
  virtual void compute_ghosts(View<const FixedPosition> positions, bool with_energy) = 0;
  virtual void collect(View<std::int64_t> forces, NonbondedSums& sums) = 0;
  std::vector<std::int32_t> order;
  double force_quantum = 0, energy_quantum = 0;  // of double precision: what callers count in
  Index cluster_pairs = 0;
};

template <class Real>
class Nonbonded::EngineOf : public Nonbonded::Engine {
  using Position = typename PairIntegers<Real>::Position;
  using Force = typename PairIntegers<Real>::Force;
  static constexpr bool mixed = sizeof(Real) == 4;
  // How many bits coarser the quanta of this precision are.
  static constexpr int force_shift = mixed ? 22 : 0, energy_shift = mixed ? 19 : 0;

 public:
  EngineOf(Executor executor, const Box& box, const LennardJonesPair& pair, double skin)
      : executor_(std::move(executor)), box_(box), pair_(pair), skin_(skin) {
    force_quantum = std::ldexp(power_of_two_above(largest_force * pair.epsilon / pair.sigma), -50);
    energy_quantum = std::ldexp(power_of_two_above(largest_virial * pair.epsilon), -50);
    const auto workers = static_cast<std::size_t>(executor_.threads());
    largest_.assign(workers, 0);
    sums_.assign(workers, PairSums{});
    set_coefficients();
  }

  void rebuild(View<const FixedPosition> positions, Index locals) override {
    const double radius = pair_.cutoff + skin_;
    const GridShape shape(box_, positions.size, radius);
    locals_.build(shape, positions, 0, locals);
    ghosts_.build(shape, positions, locals, positions.size - locals);
    const ListGeometry geometry(box_, shape, radius);
    local_list_.build(executor_, geometry, locals_, locals_, true);
    ghost_list_.build(executor_, geometry, locals_, ghosts_, false);
    cluster_pairs = local_list_.entries() + ghost_list_.entries();
    local_positions_.assign(static_cast<std::size_t>(locals_.clusters()), {});
    ghost_positions_.assign(static_cast<std::size_t>(ghosts_.clusters()), {});
    reactions_.assign(static_cast<std::size_t>(locals_.clusters() * executor_.threads()), {});
    order.clear();
    for (const std::int32_t atom : locals_.slots())
      if (atom >= 0) order.push_back(atom);
  }

  bool load_locals(View<const FixedPosition> positions) override {
    load(positions, locals_, local_positions_);
    return !moved_too_far(positions);
  }

  void compute_locals(bool with_energy) override {
    run(local_list_, local_positions_, false, with_energy);
  }

  void compute_ghosts(View<const FixedPosition> positions, bool with_energy) override {
    if (ghosts_.clusters() == 0) return;
    load(positions, ghosts_, ghost_positions_);
    run(ghost_list_, ghost_positions_, true, with_energy);
  }

  void collect(View<std::int64_t> forces, NonbondedSums& sums) override {
    check_overlap();
    const auto& slots = locals_.slots();
    const Index clusters = locals_.clusters();
    executor_.pool().for_each((clusters + grain - 1) / grain, [&](Index chunk, int) {
      const Index last = std::min(clusters, (chunk + 1) * grain);
      for (Index c = chunk * grain; c < last; ++c) collect_cluster(slots, c, forces);
    });
    for (PairSums& worker : sums_) {
      sums.energy.add(ExactSum(worker.twice[0] << energy_shift));
      for (int v = 0; v < 6; ++v) sums.virial[v].add(ExactSum(worker.twice[v + 1] << energy_shift));
      worker = PairSums{};
    }
  }

 private:
  static constexpr Index grain = 1024;

  void set_coefficients() {
    const double qf = std::ldexp(force_quantum, force_shift);
    const double qe = std::ldexp(energy_quantum, energy_shift);
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
    const auto metric = box_.metric(mixed ? 32 : 52);
    for (std::size_t a = 0; a < 6; ++a) job_.metric[a] = static_cast<Real>(metric[a]);
    const double force_over_r = largest_force * pair_.epsilon / pair_.sigma;
    limit_ = high_word(static_cast<Real>(force_over_r / (closest * pair_.sigma) / qf));
  }

  void load(View<const FixedPosition> positions, const Clustering& clustering,
            std::vector<Quad<Position>>& to) {
    const auto& slots = clustering.slots();
    const Index clusters = clustering.clusters();
    executor_.pool().for_each((clusters + grain - 1) / grain, [&](Index chunk, int) {
      const Index last = std::min(clusters, (chunk + 1) * grain);
      for (Index c = chunk * grain; c < last; ++c)
        for (int b = 0; b < cluster_size; ++b) {
          const auto s = static_cast<std::size_t>(cluster_size * c);
          const auto own = slots[s + static_cast<std::size_t>(b)];
          const auto& x = positions[own < 0 ? slots[s] : own].x;
          for (int a = 0; a < 3; ++a) set_position(to[static_cast<std::size_t>(c)].c[a][b], x[a]);
        }
    });
  }

  bool moved_too_far(View<const FixedPosition> positions) const {
    const auto metric = box_.metric(32);
    float m[6];
    for (std::size_t a = 0; a < 6; ++a) m[a] = static_cast<float>(metric[a]);
    const auto& slots = locals_.slots();
    const auto& reference = locals_.positions();
    std::vector<float> largest(static_cast<std::size_t>(executor_.threads()), 0.0f);
    const Index clusters = locals_.clusters();
    executor_.pool().for_each((clusters + grain - 1) / grain, [&](Index chunk, int worker) {
      const Index last = std::min(clusters, (chunk + 1) * grain);
      float largest2 = 0;
      for (Index c = chunk * grain; c < last; ++c)
        for (int b = 0; b < cluster_size; ++b) {
          const auto atom = slots[static_cast<std::size_t>(cluster_size * c + b)];
          if (atom < 0) continue;
          float n[3];
          for (int a = 0; a < 3; ++a)
            n[a] = static_cast<float>(
                static_cast<std::int32_t>(rounded_position(positions[atom].x[a]) -
                                          reference[static_cast<std::size_t>(c)].c[a][b]));
          const float dx = m[0] * n[0] + m[3] * n[1] + m[4] * n[2], dy = m[1] * n[1] + m[5] * n[2],
                      dz = m[2] * n[2];
          largest2 = std::max(largest2, dx * dx + dy * dy + dz * dz);
        }
      auto& to = largest[static_cast<std::size_t>(worker)];
      to = std::max(to, largest2);
    });
    const double allowed = 0.5 * skin_;
    return *std::max_element(largest.begin(), largest.end()) > allowed * allowed;
  }

  void run(const PairList& list, const std::vector<Quad<Position>>& j_positions, bool ghosts,
           bool with_energy) {
    job_.chunks = list.chunks();
    job_.i_positions = local_positions_.data();
    job_.j_positions = j_positions.data();
    job_.reactions = reactions_.data();
    job_.clusters = locals_.clusters();
    job_.ghosts = ghosts;
    job_.with_energy = with_energy;
    job_.largest = largest_.data();
    job_.sums = sums_.data();
    run_forces(executor_, job_);
  }

  void collect_cluster(const std::vector<std::int32_t>& slots, Index c, View<std::int64_t> forces) {
    for (int w = 0; w < executor_.threads(); ++w) {
      auto& quad = reactions_[static_cast<std::size_t>(w * locals_.clusters() + c)];
      for (int b = 0; b < cluster_size; ++b) {
        const auto atom = slots[static_cast<std::size_t>(cluster_size * c + b)];
        if (atom < 0) continue;
        for (int a = 0; a < 3; ++a)
          forces[3 * Index{atom} + a] -=
              std::int64_t{quad.c[a][b]} * (std::int64_t{1} << force_shift);
      }
      quad = {};
    }
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

  Executor executor_;
  Box box_;
  LennardJonesPair pair_;
  double skin_;
  Clustering locals_, ghosts_;
  PairList local_list_, ghost_list_;
  std::vector<Quad<Position>> local_positions_, ghost_positions_;
  std::vector<Quad<Force>> reactions_;
  std::vector<std::uint32_t> largest_;
  std::vector<PairSums> sums_;
  std::uint32_t limit_ = 0;
  ClusterForceJob<Real> job_{};
};

Nonbonded::Nonbonded(Executor executor, const Box& box, const LennardJonesPair& pair, double skin,
                     PairPrecision precision) {
  if (executor.is_cuda())
    throw DeviceError("cluster pair lists run on the host only; choose device = \"cpu\"");
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(pair.epsilon) || !positive(pair.sigma) || !positive(pair.cutoff) || !(skin >= 0))
    throw InputError("epsilon, sigma and cutoff must be positive and the skin not negative");
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) == Boundary::periodic && box.width(a) < 2 * (pair.cutoff + skin))
      throw InputError(
          "the box is narrower than twice cutoff + skin along a periodic axis, so "
          "an atom would meet another one twice; make the box larger");
  if (precision == PairPrecision::mixed)
    engine_ = std::make_unique<EngineOf<float>>(std::move(executor), box, pair, skin);
  else
    engine_ = std::make_unique<EngineOf<double>>(std::move(executor), box, pair, skin);
}
Nonbonded::~Nonbonded() = default;
Nonbonded::Nonbonded(Nonbonded&&) noexcept = default;
Nonbonded& Nonbonded::operator=(Nonbonded&&) noexcept = default;

void Nonbonded::rebuild(View<const FixedPosition> positions, Index locals) {
  engine_->rebuild(positions, locals);
}
View<const std::int32_t> Nonbonded::spatial_order() const {
  return {engine_->order.data(), static_cast<Index>(engine_->order.size())};
}
bool Nonbonded::load_locals(View<const FixedPosition> positions) {
  return engine_->load_locals(positions);
}
void Nonbonded::compute_locals(bool with_energy) { engine_->compute_locals(with_energy); }
void Nonbonded::compute_ghosts(View<const FixedPosition> positions, bool with_energy) {
  engine_->compute_ghosts(positions, with_energy);
}
void Nonbonded::collect(View<std::int64_t> forces, NonbondedSums& sums) {
  engine_->collect(forces, sums);
}
double Nonbonded::force_quantum() const { return engine_->force_quantum; }
double Nonbonded::energy_quantum() const { return engine_->energy_quantum; }
Index Nonbonded::cluster_pairs() const { return engine_->cluster_pairs; }

}  // namespace gsim::md
