#include "src/modules/md/eam/eam.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "kernels/md/launchers.hpp"
#include "src/modules/md/eam/eam_scratch.hpp"
#include "src/modules/md/forces/powers_of_two.hpp"

namespace gsim::md {
namespace {

// Where quanta come from. Mixed precision counts forces in 2^-21 eV/angstrom, and takes a pair for
// an overlap where F/r is above 64 eV/angstrom^2 (copper: below some 1.5 angstrom). Points that
// keep a distance from each other have at most 12 neighbours at that distance (kissing number), the
// forces of at most 9 of them have a part along one direction (a closed half of the shell), and
// these parts add to less than 4 forces: at 2 angstrom, where a force is at most 128 eV/angstrom,
// to half of the 1024 eV/angstrom that 32 bits hold; nearer ones are smaller, farther shells
// weaker.
constexpr double mixed_force_quantum = 0x1p-21, mixed_stiffness = 64;
// A pair's energy stays below 2^31 of 2^-22 eV, and its virial of 2^-19 eV: 64 eV/angstrom^2 times
// (8 angstrom)^2 are 2^12 eV.
constexpr double mixed_energy_quantum = 0x1p-22, mixed_virial_quantum = 0x1p-19;
constexpr double largest_force = 0x1p10, largest_energy = 0x1p12;
// Densities, in quanta: a pair may make 2^-2 of what the embedding table reaches to, and that is
// 2^28 quanta in mixed precision, so that neighbours as above and farther ones stay below 2^31.
// Where the table ends early, it is a pair at 1.5 angstrom that decides.
constexpr int mixed_density_bits = 28, double_density_bits = 50;
constexpr double nearest = 1.5;

/// The power of two that densities are measured by.
double density_range(const EamTables& tables) {
  double range = 0;
  for (const CubicTable& f : tables.embedding) range = std::max(range, f.end());
  for (const CubicTable& rho : tables.density)
    for (double r = nearest; r < tables.cutoff; r += rho.step())
      range = std::max(range, 4 * std::abs(rho.at(r).value));
  return power_of_two_above(range);
}

void run(const Executor& executor, const EamDensityJob<float>& job) {
  cluster_eam_densities_f32(executor, job);
}
void run(const Executor& executor, const EamDensityJob<double>& job) {
  cluster_eam_densities_f64(executor, job);
}
void run(const Executor& executor, const EamForceJob<float>& job) {
  cluster_eam_forces_f32(executor, job);
}
void run(const Executor& executor, const EamForceJob<double>& job) {
  cluster_eam_forces_f64(executor, job);
}

}  // namespace

class Eam::Engine : public ShortRange {
 public:
  ForceQuanta quanta;
  virtual Index cluster_pairs() const = 0;
};

template <class Real>
class Eam::EngineOf : public Eam::Engine {
  using Force = typename PairIntegers<Real>::Force;
  static constexpr bool mixed = sizeof(Real) == 4;

 public:
  EngineOf(Executor executor, const Box& box, const EamTables& tables, double skin,
           Particles& particles, int halo_tag)
      : pairs_(std::move(executor), box, tables.cutoff, skin),
        tables_(tables),
        density_quantum_(
            std::ldexp(density_range(tables), mixed ? -mixed_density_bits : -double_density_bits)),
        column_(particles.store.add_column("embedding_slope",
                                           mixed ? ElementType::float32 : ElementType::float64, 1,
                                           Ghosts::room)),
        halo_tag_(halo_tag) {
    const auto workers = static_cast<std::size_t>(pairs_.executor().threads());
    largest_density_.assign(workers, 0);
    largest_force_.assign(workers, 0);
    energy_.assign(workers, {});
    pair_energy_.assign(workers, 0);
    virial_.assign(workers, {});
    set_quanta(quanta_for(largest()));
  }

  std::vector<std::string> energy_names() const override { return {"embedding", "pair"}; }
  double cutoff() const override { return tables_.cutoff; }
  LargestForce largest() const override { return {largest_force, largest_energy}; }

  void set_quanta(const ForceQuanta& common) override {
    require_room(largest(), common);
    quanta = common;
    force_shift_ = mixed ? exponent_above(mixed_force_quantum, common.force) : 0;
    energy_shift_ = mixed ? exponent_above(mixed_energy_quantum, common.energy) : 0;
    virial_shift_ = mixed ? exponent_above(mixed_virial_quantum, common.energy) : 0;
    const double force = std::ldexp(common.force, force_shift_);
    rows_.fill(tables_, density_quantum_, force);
    density_job_.inverse_step = static_cast<Real>(1 / tables_.density[0].step());
    slope_scale_ = -density_quantum_ / tables_.density[0].step() / force;
    density_job_.cutoff2 = static_cast<Real>(tables_.cutoff * tables_.cutoff);
    density_job_.energy_scale =
        static_cast<Real>(-force / std::ldexp(common.energy, energy_shift_));
    force_job_.virial_scale = static_cast<Real>(force / std::ldexp(common.energy, virial_shift_));
    const double stiffness =
        mixed ? mixed_stiffness : largest_force / std::max(4.0, tables_.cutoff);
    force_limit_ = high_word(static_cast<Real>(stiffness / force));
    density_limit_ = high_word(
        static_cast<Real>(std::ldexp(1.0, (mixed ? mixed_density_bits : double_density_bits) - 2)));
  }

  void box_changed(const Box& box) override { pairs_.set_box(box); }

  void rebuild(const ForceContext& context) override {
    Particles& p = context.particles;
    if (halo_ == nullptr)
      halo_ = std::make_unique<HaloExchange>(context.plan, p.store, BufferPath::host, halo_tag_);
    pairs_.rebuild(
        {p.positions(), p.locals(), p.store.template elements<std::int32_t>(p.type), {}, {}});
    const Index clusters = pairs_.locals().clusters();
    reactions_.reset(pairs_.executor(), clusters);
    densities_.assign(static_cast<std::size_t>(clusters * pairs_.executor().threads()), {});
    slopes_.assign(static_cast<std::size_t>(clusters), {});
    ghost_slopes_.assign(static_cast<std::size_t>(pairs_.ghosts().clusters()), {});
    local_memory_.reset(pairs_.local_pass().chunks);
    ghost_memory_.reset(pairs_.ghost_pass().chunks);
  }

  View<const std::int32_t> spatial_order() const override {
    const auto& order = pairs_.order();
    return {order.data(), static_cast<Index>(order.size())};
  }
  bool load_locals(const ForceContext& context) override {
    return pairs_.load_locals(context.particles.positions());
  }

  void compute_locals(const ForceContext& context) override {
    add_densities(pairs_.local_pass(), local_memory_, context.with_sums);
  }

  void compute_ghosts(const ForceContext& context) override {
    const bool has_ghosts = pairs_.ghosts().clusters() > 0;
    if (has_ghosts) {
      pairs_.load_ghosts(context.particles.positions());
      add_densities(pairs_.ghost_pass(), ghost_memory_, context.with_sums);
    }
    const View<Real> column = context.particles.store.template elements<Real>(column_);
    embed(context, column);
    halo_->post(std::array{column_});
    add_forces(pairs_.local_pass(), local_memory_, slopes_, context.with_sums);
    const Stopwatch waiting;
    halo_->finish();
    waiting_ += waiting.seconds();
    if (!has_ghosts) return;
    load_ghost_slopes(column);
    add_forces(pairs_.ghost_pass(), ghost_memory_, ghost_slopes_, context.with_sums);
  }

  void collect(const ForceContext& context, ForceSums& sums) override {
    check_overlap();
    Particles& p = context.particles;
    reactions_.collect(pairs_.executor(), pairs_.locals(),
                       p.store.template elements<std::int64_t>(p.force), force_shift_);
    sums.energy.resize(2);
    for (std::size_t w = 0; w < energy_.size(); ++w) {
      sums.energy[0].add(energy_[w]);
      sums.energy[1].add(shifted(pair_energy_[w], energy_shift_));
      for (std::size_t v = 0; v < 6; ++v)
        sums.virial[v].add(shifted(virial_[w].c[v], virial_shift_));
      energy_[w] = ExactSum();
      pair_energy_[w] = 0;
      virial_[w] = {};
    }
  }

  std::int64_t work(std::span<std::int64_t> shares) const override { return pairs_.work(shares); }
  double take_waiting() override { return std::exchange(waiting_, 0.0); }
  Index cluster_pairs() const override { return pairs_.cluster_pairs(); }

 private:
  using Four = EamFour<Real>;

  static ExactSum shifted(WideInteger sum, int shift) {
    return ExactSum(sum * (WideInteger{1} << shift));
  }

  void add_densities(const ClusterPass<Real>& pass, EamMemory<Real>& memory, bool with_sums) {
    auto& job = density_job_;
    static_cast<ClusterPass<Real>&>(job) = pass;
    job.table = rows_.data();
    job.table_rows = rows_.rows();
    job.types = static_cast<std::int32_t>(tables_.types());
    job.densities = densities_.data();
    job.clusters = pairs_.locals().clusters();
    job.with_sums = with_sums;
    job.kept = memory.chunks();
    job.grow = EamMemory<Real>::grow;
    job.owner = &memory;
    job.largest = largest_density_.data();
    job.twice_energy = pair_energy_.data();
    run(pairs_.executor(), job);
  }

  void add_forces(const ClusterPass<Real>& pass, EamMemory<Real>& memory,
                  const std::vector<Four>& j_slopes, bool with_sums) {
    auto& job = force_job_;
    static_cast<ClusterPass<Real>&>(job) = pass;
    job.kept = memory.chunks();
    job.i_slopes = slopes_.data();
    job.j_slopes = j_slopes.data();
    job.types = static_cast<std::int32_t>(tables_.types());
    job.reactions = reactions_.data();
    job.clusters = pairs_.locals().clusters();
    job.with_sums = with_sums;
    job.largest = largest_force_.data();
    job.twice_virial = virial_.data();
    run(pairs_.executor(), job);
  }

  /// -F' of the locals, for kernels and for other ranks; where sums are asked for, F.
  void embed(const ForceContext& context, View<Real> column) {
    const auto types =
        context.particles.store.template elements<std::int32_t>(context.particles.type);
    for_clusters(
        pairs_.executor(), pairs_.locals().clusters(), [&](Index first, Index last, int worker) {
          for (Index c = first; c < last; ++c)
            embed_cluster(c, types, column, context.with_sums ? &energy_of(worker) : nullptr);
        });
  }

  ExactSum& energy_of(int worker) { return energy_[static_cast<std::size_t>(worker)]; }

  void embed_cluster(Index c, View<const std::int32_t> types, View<Real> column,
                     ExactSum* twice_energy) {
    const Index clusters = pairs_.locals().clusters();
    std::int64_t sums[cluster_size] = {};
    for (int w = 0; w < pairs_.executor().threads(); ++w) {
      auto& part = densities_[static_cast<std::size_t>(w * clusters + c)];
      for (int b = 0; b < cluster_size; ++b) sums[b] -= part.c[b];
      part = {};
    }
    for (int b = 0; b < cluster_size; ++b) {
      const std::int32_t atom = pairs_.locals().atom(c, b);
      if (atom < 0) continue;
      const std::size_t type = tables_.types() == 1 ? 0 : static_cast<std::size_t>(types[atom]);
      const auto f = tables_.embedding[type].at(static_cast<double>(sums[b]) * density_quantum_);
      const Real slope = static_cast<Real>(f.slope * slope_scale_);
      slopes_[static_cast<std::size_t>(c)].c[b] = slope;
      column[atom] = slope;
      if (twice_energy != nullptr) twice_energy->add(2 * std::llrint(f.value / quanta.energy));
    }
  }

  void load_ghost_slopes(View<const Real> column) {
    const Clustering& ghosts = pairs_.ghosts();
    for_clusters(pairs_.executor(), ghosts.clusters(), [&](Index first, Index last, int) {
      for (Index c = first; c < last; ++c)
        for (int b = 0; b < cluster_size; ++b) {
          const std::int32_t atom = ghosts.atom(c, b);
          ghost_slopes_[static_cast<std::size_t>(c)].c[b] = atom < 0 ? Real(0) : column[atom];
        }
    });
  }

  void check_overlap() {
    const bool overlap =
        *std::max_element(largest_force_.begin(), largest_force_.end()) > force_limit_ ||
        *std::max_element(largest_density_.begin(), largest_density_.end()) > density_limit_;
    std::fill(largest_force_.begin(), largest_force_.end(), 0u);
    std::fill(largest_density_.begin(), largest_density_.end(), 0u);
    if (overlap)
      throw NumericalError(
          "two embedded atoms are so near to each other that forces or densities leave the range "
          "that they are summed in; start from a configuration without overlaps, make the time "
          "step smaller, or say precision = \"double\", which allows for stiffer pairs");
  }

  ClusterPairs<Real> pairs_;
  EamTables tables_;
  EamRows<Real> rows_;
  double density_quantum_, slope_scale_ = 0;
  ColumnId column_;
  int halo_tag_;
  std::unique_ptr<HaloExchange> halo_;
  EamMemory<Real> local_memory_, ghost_memory_;
  std::vector<EamFour<Force>> densities_;
  std::vector<Four> slopes_, ghost_slopes_;
  Reactions<Force> reactions_;
  std::vector<std::uint32_t> largest_density_, largest_force_;
  std::vector<ExactSum> energy_;
  std::vector<WideInteger> pair_energy_;
  std::vector<EamVirial> virial_;
  double waiting_ = 0;  // for slopes of other ranks, in seconds
  std::uint32_t density_limit_ = 0, force_limit_ = 0;
  int force_shift_ = 0, energy_shift_ = 0, virial_shift_ = 0;
  EamDensityJob<Real> density_job_{};
  EamForceJob<Real> force_job_{};
};

Eam::Eam(Executor executor, const Box& box, const EamTables& tables, double skin,
         PairPrecision precision, Particles& particles, int halo_tag) {
  if (precision == PairPrecision::mixed)
    engine_ = std::make_unique<EngineOf<float>>(std::move(executor), box, tables, skin, particles,
                                                halo_tag);
  else
    engine_ = std::make_unique<EngineOf<double>>(std::move(executor), box, tables, skin, particles,
                                                 halo_tag);
}
Eam::~Eam() = default;
Eam::Eam(Eam&&) noexcept = default;
Eam& Eam::operator=(Eam&&) noexcept = default;

std::vector<std::string> Eam::energy_names() const { return engine_->energy_names(); }
double Eam::cutoff() const { return engine_->cutoff(); }
LargestForce Eam::largest() const { return engine_->largest(); }
void Eam::set_quanta(const ForceQuanta& quanta) { engine_->set_quanta(quanta); }
const ForceQuanta& Eam::quanta() const { return engine_->quanta; }
void Eam::box_changed(const Box& box) { engine_->box_changed(box); }
void Eam::rebuild(const ForceContext& context) { engine_->rebuild(context); }
View<const std::int32_t> Eam::spatial_order() const { return engine_->spatial_order(); }
bool Eam::load_locals(const ForceContext& context) { return engine_->load_locals(context); }
void Eam::compute_locals(const ForceContext& context) { engine_->compute_locals(context); }
void Eam::compute_ghosts(const ForceContext& context) { engine_->compute_ghosts(context); }
void Eam::collect(const ForceContext& context, ForceSums& sums) { engine_->collect(context, sums); }
std::int64_t Eam::work(std::span<std::int64_t> shares) const { return engine_->work(shares); }
double Eam::take_waiting() { return engine_->take_waiting(); }
Index Eam::cluster_pairs() const { return engine_->cluster_pairs(); }

}  // namespace gsim::md
