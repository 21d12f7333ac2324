#include "src/modules/transport/simulation/calculation.hpp"

#include <algorithm>
#include <limits>

#include "gsim/core/processor_time.hpp"
#include "gsim/core/timer.hpp"
#include "gsim/domain/replicated.hpp"
#include "src/modules/transport/eigenvalue/initial_source.hpp"

namespace gsim::transport {

namespace {

/// By how much a place may be misjudged, cm: far more than rounding, far less than a bin.
double margin_of(const System& system) { return 1024 * system.geometry().tolerance; }

/// Sites of the first source by which space is divided.
constexpr Index most_dividing_sites = 10000;

/// Space divided among `ranks` ranks. Generations breed where fissile material is, so that is
/// shared out evenly; elsewhere volumes are. The ranks of `comm` look for the material together.
Domains divide(const TransportConfig& config, const Context& context, const System& system,
               const Communicator& comm, int ranks) {
  const Box box = divided_box(system.bounds());
  if (config.mode != Mode::k_eigenvalue || !config.sources.list.empty())
    return Domains(box, Decomposition(box, ranks), context.executor);
  const IndexRange mine = partition({0, most_dividing_sites}, comm.size(), comm.rank());
  std::vector<Vector3> positions;
  comm.agree([&] {
    const FirstSourceSetup setup{system.geometry().view(), system.host_materials(),
                                 system.host_sources(), system.box(), context.seed};
    for (const FissionSite& site : first_source(setup, context.executor.pool(), mine))
      positions.push_back(site.position);
  });
  positions = comm.allgather(std::span<const Vector3>(positions));
  return Domains(box, share_evenly(box, positions, ranks), context.executor);
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
  Index most = 0;
  for (int r = 0; r < ranks; ++r)
    most = std::max(most, values_in(system.tallies(), domains.brick(r), margin_of(system)));
  return most;
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
      sources_(static_cast<double>(config.particles) /
               (config.mode == Mode::k_eigenvalue ? 1.0 : system.source_strength())),
      particles_(static_cast<double>(config.particles)) {
  if (config.particle_file.is_set)
    particle_file_ = std::make_unique<ParticleFile>(
        context.communicator, context.executor, config.particle_file, system.geometry(),
        config.materials, context.output, BatchOfSource{particles_, particles_ / sources_});
}

HistoriesSetup Calculation::histories_setup(const TransportConfig& config, const Context& context,
                                            const System& system) const {
  return {system.geometry_view(), system.materials(),
          config.rules,           context.seed,
          config.particles,       system.sources(),
          system.population(),    domains_ ? domains_->view(rank_) : DomainView{}};
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

BatchSums Calculation::tallied(Histories& histories, bool counts,
                               const std::function<BatchSums()>& run) {
  const bool is_tallied = counts && !tallies_.empty();
  histories.tally(is_tallied ? &tallies_ : nullptr);
  const bool is_recorded = counts && particle_file_ != nullptr;
  histories.record(is_recorded ? particle_file_->recorded() : RecordedSurfaces{});
  const Stopwatch watch;
  const double processor_before = processor_seconds();
  const BatchSums sums = run();
  if (is_recorded) particle_file_->add(histories.crossings());
  if (!is_tallied) return sums;
  tallies_.end_batch({.sources = sources_, .started = particles_ * (1 + sums.fission_production)});
  seconds_ += watch.seconds();
  work_seconds_ += is_on_device_ ? watch.seconds() : processor_seconds() - processor_before;
  ++timed_batches_;
  return sums;
}

double Calculation::of_all_batches(double timed_seconds) const {
  return timed_batches_ == 0 ? 0.0
                             : timed_seconds / static_cast<double>(timed_batches_) *
                                   static_cast<double>(tallies_.batches());
}

double Calculation::tally_seconds() const { return of_all_batches(seconds_); }

double Calculation::tally_work_seconds() const { return of_all_batches(work_seconds_); }

}  // namespace gsim::transport
