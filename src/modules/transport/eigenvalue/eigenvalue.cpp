// The k-eigenvalue problem: power iteration over generations of fission neutrons.

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gsim/comm/comm_backend.hpp"
#include "src/modules/transport/eigenvalue/entropy.hpp"
#include "src/modules/transport/eigenvalue/generation_statistics.hpp"
#include "src/modules/transport/eigenvalue/generations.hpp"
#include "src/modules/transport/eigenvalue/initial_source.hpp"
#include "src/modules/transport/simulation/calculation.hpp"

namespace gsim::transport {
namespace {

/// Number of active generations from which on the convergence of the source is judged.
constexpr Index min_judged = 20;
/// Datasets of the moments of the source, in coordinates from -1 to 1 over the entropy mesh.
constexpr const char* moment_names[] = {"batches/mean_x",         "batches/mean_y",
                                        "batches/mean_z",         "batches/mean_x_squared",
                                        "batches/mean_y_squared", "batches/mean_z_squared"};

class Eigenvalue : public Calculation {
 public:
  Eigenvalue(const TransportConfig& config, const Context& context, System& system)
      : Calculation(config, context, system),
        config_(config),
        context_(context),
        system_(system),
        generations_(context.communicator, context.executor,
                     histories_args(config, context, system), config.particles, context.seed) {}

  void begin() override;
  void run(Index batch) override;
  std::vector<Estimate> estimates() const override;
  std::vector<std::string> remarks() const override;
  std::string caution() const override;
  StatepointRun statepoint_run() const override;

 private:
  void save_state(DatasetWriter& writer) const override;
  void restore_state(DatasetReader& reader) override;
  void write_more_results(DatasetWriter& writer) const override;
  void add_state_to(Digest& digest) const override;
  const Communicator& comm() const { return context_.communicator; }
  IndexRange mine() const { return generations_.histories().mine(); }
  Index active() const { return std::max(Index{0}, series_.batches() - config_.inactive); }
  std::span<const double> active_part(const std::vector<double>& series) const {
    return std::span(series).last(static_cast<std::size_t>(active()));
  }
  std::vector<FissionSite> sites_of_supply();
  void choose_mesh();
  void add_source_moments();
  SourceConvergence convergence() const;
  Combination combination() const;

  const TransportConfig& config_;
  Context context_;
  System& system_;
  Generations generations_;
  EntropyMesh mesh_;
  double k_ = 1;                                ///< divides the yields of the next generation
  std::vector<double> entropies_;               ///< of the source of each generation, bits
  std::array<std::vector<double>, 6> moments_;  ///< EntropyMesh::moments() of each generation
};

void Eigenvalue::begin() {
  k_ = config_.first_k;
  comm().agree([&] {
    if (system_.supply() != nullptr) return generations_.set_source(sites_of_supply());
    generations_.set_source(
        initial_source(system_.initial_source(context_.seed), context_.executor.pool(), mine()));
  });
  choose_mesh();
}

/// Fission sites at the source particles of the file or sampler (System::supply()).
std::vector<FissionSite> Eigenvalue::sites_of_supply() {
  std::vector<FissionSite> sites;
  for (const SourceParticle& p : system_.supply()->particles(mine())) {
    FissionSite site;
    site.position = p.position;
    site.group = static_cast<std::int16_t>(p.group);
    sites.push_back(site);
  }
  return sites;
}

// The default mesh covers the bounding box of the initial source on all ranks. `bounds`: the lower
// ends, and the upper ends with a negative sign, so that both are minima.
void Eigenvalue::choose_mesh() {
  if (config_.has_entropy) {
    mesh_ = {config_.entropy.lower, config_.entropy.upper, config_.entropy.shape};
    return;
  }
  std::array<double, 6> bounds;
  bounds.fill(HUGE_VAL);
  for (const FissionSite& site : generations_.source_on_host()) {
    const double x[3] = {site.position.x, site.position.y, site.position.z};
    for (std::size_t a = 0; a < 3; ++a) {
      bounds[a] = std::min(bounds[a], x[a]);
      bounds[3 + a] = std::min(bounds[3 + a], -x[a]);
    }
  }
  const auto bounds_of_ranks = comm().allgather(std::span<const double>(bounds));
  for (std::size_t i = 0; i < bounds_of_ranks.size(); ++i)
    bounds[i % 6] = std::min(bounds[i % 6], bounds_of_ranks[i]);
  // An initial source at a point or in a plane has no extent along some axis. All sites of later
  // sources would be in one box along it, and the source would seem to have converged.
  const SampleBox& geometry = system_.box();
  for (std::size_t a = 0; a < 3; ++a)
    if (!(bounds[a] < -bounds[3 + a])) {
      bounds[a] = geometry.lower[a];
      bounds[3 + a] = -geometry.upper[a];
    }
  mesh_ = EntropyMesh::of({bounds[0], bounds[1], bounds[2]}, {-bounds[3], -bounds[4], -bounds[5]},
                          config_.particles);
}

void Eigenvalue::add_source_moments() {
  std::vector<std::int64_t> counts = mesh_.count(generations_.source(), context_.executor);
  comm().backend().allreduce(std::span(counts), ReduceOp::sum);
  entropies_.push_back(shannon_entropy(counts));
  const std::array<double, 6> moments = mesh_.moments(counts);
  for (std::size_t m = 0; m < moments.size(); ++m) moments_[m].push_back(moments[m]);
}

SourceConvergence Eigenvalue::convergence() const {
  std::vector<std::span<const double>> series{entropies_};
  series.insert(series.end(), moments_.begin(), moments_.end());
  return judge_convergence(series, config_.inactive);
}

void Eigenvalue::run(Index batch) {
  add_source_moments();
  begin_batch(generations_.histories(), batch >= config_.inactive);
  const BatchSums sums = generations_.run(batch, k_);
  end_batch(generations_.histories(), sums);
  k_ = sums.k_collision;
}

Combination Eigenvalue::combination() const {
  std::vector<std::span<const double>> series{active_part(series_.k_collision),
                                              active_part(series_.k_absorption)};
  if (config_.rules.tracking == Tracking::surface)
    series.push_back(active_part(series_.k_track_length));
  return combine(series);
}

std::vector<Estimate> Eigenvalue::estimates() const {
  std::vector<Estimate> all;
  if (active() == 0) return {unknown_estimate("k_effective")};
  const auto add_series = [&](const char* name, const std::vector<double>& series) {
    const std::span<const double> active = active_part(series);
    all.push_back(estimate(name, mean_of(active), active));
  };
  const Combination k = combination();
  all.push_back(estimate("k_effective", k.value, k.series));
  add_series("k_collision", series_.k_collision);
  add_series("k_absorption", series_.k_absorption);
  if (config_.rules.tracking == Tracking::surface)
    add_series("k_track_length", series_.k_track_length);
  add_series("leakage", series_.leakage);
  return all;
}

std::vector<std::string> Eigenvalue::remarks() const {
  if (active() < min_judged)
    return {fmt::format("{} active generations are too few to judge convergence", active())};
  const SourceConvergence c = convergence();
  if (!c.is_converged) return {caution()};
  return {fmt::format(
      "the fission source converged after {} of {} inactive generations; dominance "
      "ratio about {:.2f}; effective sample size {:.2f} per generation "
      "(autocorrelation)",
      c.converged_after, config_.inactive, c.dominance_ratio, 1 / combination().value.correlation)};
}

std::string Eigenvalue::caution() const {
  if (active() < min_judged) return {};
  const SourceConvergence c = convergence();
  if (c.is_converged) return {};
  if (!c.is_long_enough)
    return fmt::format(
        "THE FISSION SOURCE HAD NOT CONVERGED, judging by {} active generations: it changes so "
        "slowly (dominance ratio {}) that they contain few of its relaxation times, if any; the "
        "error of k may be larger than stated, that of local tallies much larger; give many more "
        "generations, also inactive ones, more particles, or a better initial source",
        active(),
        c.dominance_ratio < 0.995 ? fmt::format("about {:.2f} or above", c.dominance_ratio)
                                  : "near 1");
  if (c.converged_after > config_.inactive)
    return fmt::format(
        "THE FISSION SOURCE HAD NOT CONVERGED: its entropy or its moments converged after {} "
        "generations, {} were inactive; give more",
        c.converged_after, config_.inactive);
  return fmt::format(
      "THE FISSION SOURCE DRIFTS: its entropy or its moments in the two halves of active "
      "generations differ by {:.1f} standard errors; give more inactive generations or particles",
      std::abs(c.drift));
}

void Eigenvalue::save_state(DatasetWriter& writer) const {
  writer.write("batches/entropy", entropies_);
  for (std::size_t m = 0; m < moments_.size(); ++m) writer.write(moment_names[m], moments_[m]);
  writer.write("k", k_);
  writer.write("entropy_mesh/corners",
               std::vector<double>{mesh_.lower[0], mesh_.lower[1], mesh_.lower[2], mesh_.upper[0],
                                   mesh_.upper[1], mesh_.upper[2]});
  writer.write("entropy_mesh/shape", std::vector<Index>(mesh_.shape.begin(), mesh_.shape.end()));
  std::vector<double> position;
  std::vector<std::int64_t> group;
  for (const FissionSite& site : generations_.source_on_host()) {
    position.insert(position.end(), {site.position.x, site.position.y, site.position.z});
    group.push_back(site.group);
  }
  writer.write_rows("source/position", std::span<const double>(position), mine(), config_.particles,
                    3);
  writer.write_rows("source/group", std::span<const std::int64_t>(group), mine(),
                    config_.particles);
}

void Eigenvalue::restore_state(DatasetReader& reader) {
  entropies_ = reader.read<double>("batches/entropy");
  for (std::size_t m = 0; m < moments_.size(); ++m)
    moments_[m] = reader.read<double>(moment_names[m]);
  k_ = reader.read_value<double>("k");
  const auto corners = reader.read<double>("entropy_mesh/corners");
  const auto shape = reader.read<Index>("entropy_mesh/shape");
  for (std::size_t a = 0; a < 3; ++a) {
    mesh_.lower[a] = corners[a];
    mesh_.upper[a] = corners[3 + a];
    mesh_.shape[a] = shape[a];
  }
  const auto position = reader.read_rows<double>("source/position", mine());
  const auto group = reader.read_rows<std::int64_t>("source/group", mine());
  std::vector<FissionSite> source(group.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    source[i].position = {position[3 * i], position[3 * i + 1], position[3 * i + 2]};
    source[i].group = static_cast<std::int16_t>(group[i]);
  }
  generations_.set_source(source);
}

void Eigenvalue::write_more_results(DatasetWriter& writer) const {
  writer.write("batches/entropy", entropies_);
  writer.attribute("batches/entropy", "unit", "bit");
  for (std::size_t m = 0; m < moments_.size(); ++m) writer.write(moment_names[m], moments_[m]);
  writer.write("batches/inactive", config_.inactive);
  writer.write_strings("convergence", remarks());
}

StatepointRun Eigenvalue::statepoint_run() const {
  StatepointRun run = Calculation::statepoint_run();
  run.k_generation = series_.k_collision;
  run.entropy = entropies_;
  if (active() > 1) {
    const MeanAndError k = combination().value;
    run.k_mean = k.mean;
    run.k_error = k.error;
  }
  return run;
}

void Eigenvalue::add_state_to(Digest& digest) const {
  digest.add(std::span<const double>(entropies_));
  // The digest of a site includes its index, so that their sum can be formed in any order.
  std::uint64_t sum = 0;
  Index i = mine().first;
  for (const FissionSite& site : generations_.source_on_host()) {
    Digest site_digest;
    site_digest.add(i++).add(site.position.x).add(site.position.y).add(site.position.z);
    site_digest.add(static_cast<std::int64_t>(site.group));
    sum += site_digest.value();
  }
  digest.add(static_cast<std::uint64_t>(comm().sum(static_cast<std::int64_t>(sum))));
}

}  // namespace

std::unique_ptr<Calculation> make_eigenvalue(const TransportConfig& config, const Context& context,
                                             System& system) {
  return std::make_unique<Eigenvalue>(config, context, system);
}

}  // namespace gsim::transport
