#include "src/modules/transport/variance_reduction/window_generator.hpp"

#include <string>
#include <vector>

#include "src/modules/transport/fixed_source/run_source.hpp"
#include "src/modules/transport/tallies/filters/energy_filter.hpp"
#include "src/modules/transport/tallies/filters/mesh_filter.hpp"
#include "src/modules/transport/tallies/scores/flux.hpp"

namespace gsim::transport {
namespace {

const std::string flux_group = "weight_windows/flux";

HistoriesArgs with_own_random_numbers(HistoriesArgs args, std::uint64_t seed) {
  args.key = stream_key({seed, Purpose::transport_windows});
  return args;
}

Index particles_of(const TransportConfig& config) {
  const Index given = config.windows.generator.particles;
  return given > 0 ? given : config.particles;
}

/// A tally of the flux by mesh bin and group.
TallyPlan flux_plan(const TransportConfig& config, const System& system) {
  TalliesConfig tallies;
  tallies.meshes = {config.windows.mesh};
  tallies.meshes.front().name = "windows";
  TallyConfig flux;
  flux.name = "flux of windows";
  flux.scores = {{"flux", &flux_score}};
  flux.filters = {{.kind = &mesh_filter, .names = {tallies.meshes.front().name}},
                  {.kind = &energy_filter, .names = {std::string(by_groups)}}};
  tallies.tallies = {flux};
  return plan_tallies(tallies, system.geometry(), config.materials,
                      {.is_delta_tracking = config.rules.tracking == Tracking::delta,
                       .is_timed = config.rules.is_timed != 0,
                       .has_changing_weights = !config.biases.transforms.empty()});
}

}  // namespace

WindowGenerator::WindowGenerator(const TransportConfig& config, const Context& context,
                                 System& system, const HistoriesArgs& args, WeightWindows& windows)
    : config_(config.windows),
      groups_(config.materials.groups),
      system_(system),
      windows_(windows),
      histories_(context.communicator, context.executor,
                 with_own_random_numbers(args, context.seed), particles_of(config)),
      flux_(context.communicator, context.executor, flux_plan(config, system),
            {.batches = config.windows.generator.batches}) {
  histories_.tally(&flux_);
}

double WindowGenerator::bytes(const TransportConfig& config, const System& system, int threads,
                              int ranks) {
  const TallyPlan plan = flux_plan(config, system);
  return TallySet::bytes(plan, {.batches = config.windows.generator.batches}, threads, ranks,
                         plan.values);
}

BatchSums WindowGenerator::run(Index batch) {
  const BatchSums sums = run_source(histories_, system_, batch);
  const auto particles = static_cast<double>(histories_.particles());
  flux_.end_batch({.sources = particles, .started = particles * (1 + sums.fission_production)});
  if ((batch + 1) % config_.generator.batches != 0) return sums;
  const TallyTable flux = flux_.table(0, TallyErrors::of_batches);
  windows_.set(magic_windows(config_.mesh, groups_, config_.upper_ratio,
                             config_.generator.largest_relative_error, flux.mean,
                             flux.standard_error));
  flux_.clear();
  return sums;
}

void WindowGenerator::save(DatasetWriter& writer) const {
  if (flux_.batches() > 0) flux_.save(writer, flux_group);
}

void WindowGenerator::restore(DatasetReader& reader) {
  if (reader.has(flux_group + "/batches")) flux_.restore(reader, flux_group);
}

}  // namespace gsim::transport
