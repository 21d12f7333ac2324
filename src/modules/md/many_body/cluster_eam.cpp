// The embedded-atom method over cluster pair lists, on the host.

#include <algorithm>
#include <vector>

#include "gsim/core/error.hpp"
#include "kernels/md/many_body/eam_math.hpp"
#include "kernels/md/neighbour_lists/cluster_launchers.hpp"
#include "src/modules/md/many_body/eam_forces.hpp"
#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"

namespace gsim::md {
namespace {

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

template <class Real>
class ClusterEam final : public EamForces<Real> {
  using Base = EamForces<Real>;
  using Force = typename PairIntegers<Real>::Force;

 public:
  ClusterEam(const Executor& executor, const Box& box, const EamTables& tables,
             const EamOptions& options, Particles& particles)
      : Base(tables, options, particles), pairs_(executor, box, tables.cutoff, options.skin) {
    for (const CubicTable& f : Base::tables().embedding) curves_.push_back(f.curve());
    const auto workers = static_cast<std::size_t>(pairs_.executor().threads());
    largest_density_.assign(workers, 0);
    largest_force_.assign(workers, 0);
    twice_embedding_energy_.assign(workers, {});
    twice_pair_energy_.assign(workers, 0);
    virial_.assign(workers, {});
  }

  void box_changed(const Box& box) override { pairs_.set_box(box); }
  void set_skin(double skin) override { pairs_.set_skin(skin); }

  void rebuild(const ForceContext& context) override {
    Base::plan_exchange(context);
    pairs_.rebuild(pair_atoms(context.particles));
    const Index clusters = pairs_.locals().clusters();
    reactions_.reset(pairs_.executor(), clusters);
    densities_.assign(static_cast<std::size_t>(clusters * pairs_.executor().threads()), {});
    slopes_.assign(static_cast<std::size_t>(clusters), {});
    ghost_slopes_.assign(static_cast<std::size_t>(pairs_.ghosts().clusters()), {});
    local_memory_.reset(pairs_.local_pass().chunks);
    ghost_memory_.reset(pairs_.ghost_pass().chunks);
  }

  View<const std::int32_t> spatial_order() override {
    const auto& order = pairs_.order();
    return {order.data(), static_cast<Index>(order.size())};
  }
  bool load_locals(const ForceContext& context) override {
    return pairs_.load_locals(context.particles.positions());
  }
  ListState read_locals(const ForceContext& context) override {
    return pairs_.read_locals(context.particles.positions());
  }
  void shorten_lists() override { pairs_.shorten_lists(); }

  void compute_locals(const ForceContext& context) override {
    add_densities(pairs_.local_pass(), local_memory_, context.with_sums);
  }

  void compute_ghosts(const ForceContext& context) override {
    const bool has_ghosts = pairs_.ghosts().clusters() > 0;
    if (has_ghosts) {
      pairs_.load_ghosts(context.particles.positions());
      add_densities(pairs_.ghost_pass(), ghost_memory_, context.with_sums);
    }
    const View<Real> column = Base::slopes(context.particles);
    embed(context, column);
    Base::pack_slopes();
    Base::send_slopes();
    add_forces(pairs_.local_pass(), local_memory_, slopes_, context.with_sums);
    Base::finish_slopes();
    if (!has_ghosts) return;
    load_ghost_slopes(column);
    add_forces(pairs_.ghost_pass(), ghost_memory_, ghost_slopes_, context.with_sums);
  }

  void collect(const ForceContext& context, ForceSums& sums) override {
    check_overlap();
    Particles& p = context.particles;
    reactions_.collect(pairs_.executor(), pairs_.locals(),
                       p.store.template elements<std::int64_t>(p.force), Base::force_shift());
    EamSums all;
    for (std::size_t w = 0; w < twice_embedding_energy_.size(); ++w) {
      all.embedding.add(twice_embedding_energy_[w]);
      all.pair.add(ExactSum(twice_pair_energy_[w]));
      for (std::size_t v = 0; v < 6; ++v) all.virial[v].add(ExactSum(virial_[w].c[v]));
      twice_embedding_energy_[w] = ExactSum();
      twice_pair_energy_[w] = 0;
      virial_[w] = {};
    }
    Base::add_sums(all, sums);
  }

  std::int64_t work(std::span<std::int64_t> shares) const override { return pairs_.work(shares); }
  Index list_entries() const override { return pairs_.cluster_pairs(); }

 private:
  /// Adds the densities of pairs of a pass, and with sums their pair energies.
  void add_densities(const ClusterPass<Real>& pass, EamMemory<Real>& memory, bool with_sums) {
    EamDensityJob<Real> job;
    static_cast<ClusterPass<Real>&>(job) = pass;
    Base::set_table(job);
    job.table = Base::rows().data();
    job.energy_scale = Base::energy_scale();
    job.densities = densities_.data();
    job.clusters = pairs_.locals().clusters();
    job.with_sums = with_sums;
    job.chunk_values = memory.chunks();
    job.grow = EamMemory<Real>::grow;
    job.owner = &memory;
    job.largest = largest_density_.data();
    job.twice_energy = twice_pair_energy_.data();
    run(pairs_.executor(), job);
  }

  /// Adds the forces of pairs of a pass, for which all slopes must be known.
  void add_forces(const ClusterPass<Real>& pass, EamMemory<Real>& memory,
                  const std::vector<Four<Real>>& j_slopes, bool with_sums) {
    EamForceJob<Real> job;
    static_cast<ClusterPass<Real>&>(job) = pass;
    job.chunk_values = memory.chunks();
    job.i_slopes = slopes_.data();
    job.j_slopes = j_slopes.data();
    job.types = Base::types();
    job.virial_scale = Base::virial_scale();
    job.reactions = reactions_.data();
    job.clusters = pairs_.locals().clusters();
    job.with_sums = with_sums;
    job.largest = largest_force_.data();
    job.twice_virial = virial_.data();
    run(pairs_.executor(), job);
  }

  /// Computes -F' of the locals, for kernels and for other ranks; and F where sums are computed.
  void embed(const ForceContext& context, View<Real> column) {
    const auto types =
        context.particles.store.template elements<std::int32_t>(context.particles.type);
    const EamEmbedding embedding = Base::embedding(curves_.data());
    for_clusters(
        pairs_.executor(), pairs_.locals().clusters(), [&](Index first, Index last, int worker) {
          ExactSum* const twice_energy = context.with_sums ? &twice_energy_of(worker) : nullptr;
          for (Index c = first; c < last; ++c)
            embed_cluster(c, embedding, types, column, twice_energy);
        });
  }

  ExactSum& twice_energy_of(int worker) {
    return twice_embedding_energy_[static_cast<std::size_t>(worker)];
  }

  /// embed() for one cluster; the energy is added to `twice_energy` unless that is null.
  void embed_cluster(Index c, const EamEmbedding& embedding, View<const std::int32_t> types,
                     View<Real> column, ExactSum* twice_energy) {
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
      const auto f = md_kernels::embed(embedding, types[atom], sums[b]);
      const Real slope = static_cast<Real>(f.slope);
      slopes_[static_cast<std::size_t>(c)].c[b] = slope;
      column[atom] = slope;
      if (twice_energy != nullptr) twice_energy->add(f.twice_energy);
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

  /// NumericalError if a force or density was above its limit since the last call.
  void check_overlap() {
    const bool overlap =
        *std::max_element(largest_force_.begin(), largest_force_.end()) > Base::force_limit() ||
        *std::max_element(largest_density_.begin(), largest_density_.end()) > Base::density_limit();
    std::fill(largest_force_.begin(), largest_force_.end(), 0u);
    std::fill(largest_density_.begin(), largest_density_.end(), 0u);
    if (overlap) throw NumericalError(Base::overlap_message("two embedded atoms"));
  }

  ClusterPairs<Real> pairs_;
  std::vector<CubicCurve> curves_;  // of the tables' embedding functions
  EamMemory<Real> local_memory_, ghost_memory_;
  std::vector<Four<Force>> densities_;  // by thread, then by cluster; negative, in quanta
  std::vector<Four<Real>> slopes_, ghost_slopes_;  // -F', by cluster
  Reactions<Force> reactions_;
  // By thread:
  std::vector<std::uint32_t> largest_density_, largest_force_;
  std::vector<ExactSum> twice_embedding_energy_;
  std::vector<WideInteger> twice_pair_energy_;
  std::vector<EamVirial> virial_;
};

}  // namespace

std::unique_ptr<ShortRange> make_cluster_eam(const Executor& executor, const Box& box,
                                             const EamTables& tables, const EamOptions& options,
                                             Particles& particles) {
  if (options.precision == PairPrecision::mixed)
    return std::make_unique<ClusterEam<float>>(executor, box, tables, options, particles);
  return std::make_unique<ClusterEam<double>>(executor, box, tables, options, particles);
}

}  // namespace gsim::md
