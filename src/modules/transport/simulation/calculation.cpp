#include "src/modules/transport/simulation/calculation.hpp"

#include <algorithm>
#include <limits>

#include "gsim/core/timer.hpp"
#include "gsim/domain/replicated.hpp"
#include "gsim/engine/contributing_samples.hpp"
#include "src/modules/transport/eigenvalue/initial_source.hpp"

namespace gsim::transport {

namespace {

/// Margin by which the tally bins of a domain extend beyond its brick, cm: far more than rounding
/// errors of positions, far less than a bin.
double margin_of(const System& system) { return 1024 * system.geometry().tolerance; }

/// Number of sites of the initial source that are divided equally among the domains.
constexpr Index balancing_sites = 10000;

/// Divides space among `ranks` ranks: in eigenvalue calculations without [[source]] into domains
/// with equal numbers of sites of the initial source, in other calculations into domains of equal
/// volumes. Each rank of `comm` samples a part of the sites.
Domains divide(const TransportConfig& config, const Context& context, const System& system,
               const Communicator& comm, int ranks) {
  const Box box = divided_box(system.bounds());
  if (config.mode != Mode::k_eigenvalue || !config.sources.list.empty())
    return Domains(box, Decomposition(box, ranks), context.executor);
  const IndexRange mine = partition({0, balancing_sites}, comm.size(), comm.rank());
  std::vector<Vector3> positions;
  comm.agree([&] {
    for (const FissionSite& site :
         initial_source(system.initial_source(context.seed), context.executor.pool(), mine))
      positions.push_back(site.position);
  });
  positions = comm.allgather(std::span<const Vector3>(positions));
  return Domains(box, decompose_evenly(box, positions, ranks), context.executor);
}

std::optional<Domains> domains_of(const TransportConfig& config, const Context& context,
                                  const System& system) {
  const Communicator& comm = context.communicator;
  if (!config.is_decomposed || comm.size() == 1) return {};
  return divide(config, context, system, comm, comm.size());
}

TallyPart part_of(const System& system, const std::optional<Domains>& domains, int rank) {
  return domains ? part_in(system.tallies(), domains->brick(rank), margin_of(system))
                 : whole_part(system.tallies());
}

}  // namespace

Index tally_values_of_rank(const TransportConfig& config, const Context& context,
                           const System& system, int ranks) {
  if (!config.is_decomposed || ranks == 1) return system.tallies().values;
  const Domains domains = divide(config, context, system, Communicator::self(), ranks);
  Index max_values = 0;
  for (int r = 0; r < ranks; ++r)
    max_values =
        std::max(max_values, values_in(system.tallies(), domains.brick(r), margin_of(system)));
  return max_values;
}

Calculation::Calculation(const TransportConfig& config, const Context& context,
                         const System& system)
    : domains_(domains_of(config, context, system)),
      rank_(context.communicator.rank()),
      is_on_device_(context.executor.is_cuda()),
      tallies_(context.communicator, context.executor, system.tallies(), batch_plan(config),
               part_of(system, domains_, rank_)),
      statepoint_{.is_eigenvalue = config.mode == Mode::k_eigenvalue,
                  .seed = context.seed,
                  .particles = config.particles,
                  .inactive = config.mode == Mode::k_eigenvalue ? config.inactive : 0},
      particles_per_strength_(static_cast<double>(config.particles) /
                              (config.mode == Mode::k_eigenvalue ? 1.0 : system.source_strength())),
      particles_(static_cast<double>(config.particles)) {
  if (config.particle_file.is_set)
    particle_file_ = std::make_unique<ParticleFile>(
        context.communicator, context.executor, config.particle_file, system.geometry(),
        config.materials, context.output,
        SourceBatch{particles_, particles_ / particles_per_strength_});
}

HistoriesArgs Calculation::histories_args(const TransportConfig& config, const Context& context,
                                          const System& system) const {
  HistoriesArgs args;
  args.geometry = system.geometry_view();
  args.materials = system.materials();
  args.sources = system.sources();
  args.variance_reduction = system.variance_reduction();
  args.rules = config.rules;
  args.key = stream_key({context.seed, Purpose::transport_history});
  if (domains_) args.domains = domains_->view(rank_);
  return args;
}

Estimate Calculation::unknown_estimate(const char* name) {
  Estimate e;
  e.name = name;
  e.mean = std::numeric_limits<double>::quiet_NaN();
  return e;
}

StatepointRun Calculation::statepoint_run() const {
  StatepointRun run = statepoint_;
  run.batches = series_.batches();
  run.seconds = tally_seconds();
  return run;
}

BatchPlan Calculation::batch_plan(const TransportConfig& config) {
  return {.batches = config.active(), .correlated = config.mode == Mode::k_eigenvalue};
}

void Calculation::begin_batch(Histories& histories, bool is_active) {
  is_tallied_ = is_active && !tallies_.empty();
  is_recorded_ = is_active && particle_file_ != nullptr;
  histories.tally(is_tallied_ ? &tallies_ : nullptr);
  histories.record(is_recorded_ ? particle_file_->recorded() : RecordedSurfaces{});
  watch_.restart();
  processor_at_start_ = processor_seconds();
}

void Calculation::end_batch(const Histories& histories, const BatchSums& sums) {
  series_.add(sums);
  if (is_recorded_) particle_file_->add(histories.crossings());
  if (!is_tallied_) return;
  tallies_.end_batch(
      {.sources = particles_per_strength_, .started = particles_ * (1 + sums.fission_production)});
  seconds_ += watch_.seconds();
  work_seconds_ += is_on_device_ ? watch_.seconds() : processor_seconds() - processor_at_start_;
  ++timed_batches_;
}

void Calculation::save(DatasetWriter& writer) const {
  series_.save(writer, "batches");
  save_state(writer);
}

void Calculation::restore(DatasetReader& reader) {
  series_.restore(reader, "batches");
  restore_state(reader);
}

void Calculation::write_results(DatasetWriter& writer) const {
  series_.save(writer, "batches");
  write_more_results(writer);
}

void Calculation::add_to(Digest& digest) const {
  series_.add_to(digest);
  add_state_to(digest);
}

Estimate Calculation::estimate(const char* name, const MeanAndError& m,
                               std::span<const double> series) {
  Estimate e;
  e.name = name;
  e.mean = m.mean;
  e.standard_error = m.error;
  e.count = static_cast<Index>(series.size());
  e.degrees_of_freedom =
      std::max(Index{1}, static_cast<Index>(static_cast<double>(e.count) / m.correlation) - 1);
  set_contributing_samples(e, contributing_samples(moments_of(series)) / m.correlation);
  return e;
}

double Calculation::extrapolate_to_all_batches(double timed_seconds) const {
  return timed_batches_ == 0 ? 0.0
                             : timed_seconds / static_cast<double>(timed_batches_) *
                                   static_cast<double>(tallies_.batches());
}

double Calculation::tally_seconds() const { return extrapolate_to_all_batches(seconds_); }

double Calculation::tally_work_seconds() const { return extrapolate_to_all_batches(work_seconds_); }

}  // namespace gsim::transport
