#include "dpd_module.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include <gsim/core/digest.hpp>
#include <gsim/domain/particle_health.hpp>
#include <gsim/engine/particle_state.hpp>
#include <gsim/math/policy.hpp>
#include <gsim/random/normal.hpp>
#include <gsim/random/plugin_purpose.hpp>
#include <gsim/random/stream.hpp>

#include "dpd_kernels.hpp"

namespace dpd {
namespace {

using gsim::FixedPosition;

constexpr gsim::Purpose noise_purpose = gsim::plugin_purpose("dpd", 0);
constexpr gsim::Purpose position_purpose = gsim::plugin_purpose("dpd", 1);
constexpr gsim::Purpose velocity_purpose = gsim::plugin_purpose("dpd", 2);
constexpr double cutoff = 1;  // cutoff of the forces: the unit of length
// Number of steps in which particles move about half their mean distance.
constexpr Index sort_every = 20;

/// The smallest power of two that is not below x > 0.
double power_of_two(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(1.0, mantissa == 0.5 ? exponent - 1 : exponent);
}

std::vector<gsim::SeriesColumn> columns() {
  return {{.name = "temperature",
           .description = "sum of m v^2 / (3 (particles - 1)), as k T",
           .is_averaged = true},
          {.name = "pressure",
           .description = "density times temperature + virial pressure",
           .is_averaged = true},
          {.name = "virial_pressure",
           .description = "sum of r F of conservative forces / (3 volume)",
           .is_averaged = true},
          {.name = "potential_energy", .description = "mean per particle", .is_averaged = true},
          {.name = "squared_force",
           .description = "mean squared conservative force on a particle",
           .is_averaged = true},
          {.name = "laplacian",
           .description = "Laplacian of the potential energy, mean per particle",
           .is_averaged = true},
          {.name = "momentum",
           .description = "largest component of the sum over all particles",
           .digits = 3}};
}

}  // namespace

gsim::WorkPlan DpdModule::plan(const gsim::Context& context) {
  context_ = std::make_shared<const gsim::Context>(context);
  const DpdConfig& c = config_;
  gsim::check_addresses("pairs", 1, c.steps + 1, 4);
  // Fixed-point unit of forces: 2^-40 of the force between two particles of average speed, so that
  // sums may be 2^15 times as large. Fixed-point unit of observed sums: 2^-40 of the mean
  // contribution.
  const double speed = std::sqrt(c.temperature);
  const double noise = std::sqrt(2 * c.friction * c.temperature / c.time_step);
  const double force = power_of_two(c.repulsion + c.friction * speed + 2 * noise + 0x1p-20);
  force_quantum_ = force * 0x1p-40;
  sum_quantum_ = power_of_two(c.temperature + c.repulsion * c.repulsion) * 0x1p-40;
  speed_quantum_ = power_of_two(speed) * 0x1p-54;
  gsim::WorkPlan plan;
  plan.unit_name = "step";
  plan.total_units = c.steps;
  char text[64];
  std::snprintf(text, sizeof text, " particles, density %.4g", c.density());
  plan.summary = std::to_string(c.particles) + text;
  plan.item_name = "particle-steps";
  plan.items_per_unit = static_cast<double>(c.particles);
  const int ranks =
      context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
  // Bytes per particle of all columns, of their copies for permuting and sending, and of the list
  // of cells.
  plan.bytes_per_rank = 250.0 * std::ceil(static_cast<double>(c.particles) / ranks);
  return plan;
}

DpdModule::State::State(const gsim::Context& context, const DpdConfig& config)
    : box({0, 0, 0}, {config.length, config.length, config.length}),
      bricks(box, context.communicator.size()),
      store(context.executor),
      velocity(store.add_column("velocity", gsim::ElementType::float64, 3, gsim::Ghosts::none)),
      predicted(store.add_column("predicted", gsim::ElementType::float64, 3, gsim::Ghosts::copied)),
      force(store.add_column("force", gsim::ElementType::int64, 3, gsim::Ghosts::none)),
      migrator(context.communicator, context.executor, context.buffers),
      halo(context.communicator),
      cells(context.executor, box, cutoff) {}

void DpdModule::build() {
  state_ = std::make_unique<State>(*context_, config_);
  table_.emplace("thermo", columns(), config_.thermo);
}

/// Ids of the particles that this rank creates at the start.
gsim::IndexRange DpdModule::initial_ids() const {
  const gsim::Communicator& comm = context_->communicator;
  return gsim::partition({0, config_.particles}, comm.size(), comm.rank());
}

/// Maxwell velocities of the particles of initial_ids(), with zero total momentum.
std::vector<double> DpdModule::first_velocities() const {
  const gsim::IndexRange ids = initial_ids();
  const auto key = gsim::stream_key({context_->seed, velocity_purpose});
  constexpr double quantum = 0x1p-48;  // fixed-point unit of speeds, relative to the thermal speed
  std::array<gsim::ExactSum, 3> sums;
  std::vector<double> velocities;
  for (Index id = ids.first; id < ids.last; ++id) {
    const auto z = gsim::normals<double, gsim::Strict>(
        gsim::philox_block(key, static_cast<std::uint64_t>(id), 0, 0));
    for (int a = 0; a < 3; ++a) {
      velocities.push_back(z[a]);
      sums[static_cast<std::size_t>(a)].add(static_cast<std::int64_t>(z[a] / quantum));
    }
  }
  context_->communicator.sum(sums);
  const double speed = std::sqrt(config_.temperature);
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    const double mean = sums[k % 3].value(quantum) / static_cast<double>(config_.particles);
    velocities[k] = speed * (velocities[k] - mean);
  }
  return velocities;
}

// Particles start at random positions, which may overlap, because the forces are bounded.
void DpdModule::prepare() {
  build();
  State& s = *state_;
  const gsim::IndexRange ids = initial_ids();
  const auto key = gsim::stream_key({context_->seed, position_purpose});
  std::vector<FixedPosition> positions;
  for (Index id = ids.first; id < ids.last; ++id) {
    const auto words = gsim::philox_block(key, static_cast<std::uint64_t>(id), 0, 0);
    positions.push_back({{std::uint64_t{words.x0} << 32, std::uint64_t{words.x1} << 32,
                          std::uint64_t{words.x2} << 32}});
  }
  const std::vector<double> flat = first_velocities();
  std::vector<std::array<double, 3>> velocities;
  for (std::size_t k = 0; k < flat.size(); k += 3)
    velocities.push_back({flat[k], flat[k + 1], flat[k + 2]});
  s.store.make_locals(ids);
  s.store.assign(s.store.position(), positions);
  s.store.assign(s.velocity, velocities);
  s.store.assign(s.predicted, velocities);
  find_neighbours(0);
  compute_forces(0, 0);
  if (table_->is_due(0)) observe(0);
}

/// Migrates particles to their owners, and builds ghosts and cells. Every sort_every steps
/// particles are also sorted by cells in memory, which makes the run faster and changes no result.
void DpdModule::find_neighbours(Index step) {
  State& s = *state_;
  const gsim::RegionTimer::Scope scope(context_->timer.get(), "neighbours");
  s.migrator.migrate(s.store, s.bricks);
  if (step % sort_every == 0) s.cells.sort(s.store);
  s.halo.build(s.store, s.box, s.bricks, cutoff, context_->buffers);
  s.cells.build(s.store);
}

/// Computes the forces of step `step` and advances velocities by `half_step`.
void DpdModule::compute_forces(Index step, double half_step) {
  State& s = *state_;
  const DpdConfig& c = config_;
  ForceArgs args;
  args.cells = s.cells.view();
  args.id = s.store.view<std::int64_t>(s.store.id());
  args.predicted = s.store.elements<double>(s.predicted);
  args.velocity = s.store.elements<double>(s.velocity);
  args.force = s.store.elements<std::int64_t>(s.force);
  args.locals = s.store.locals();
  args.key = gsim::stream_key({context_->seed, noise_purpose});
  args.step = static_cast<std::uint64_t>(step);
  args.repulsion = c.repulsion;
  args.friction = c.friction;
  args.noise = std::sqrt(2 * c.friction * c.temperature / c.time_step);
  args.quanta_per_force = 1 / force_quantum_;
  args.half_step_quantum = half_step * force_quantum_;
  gsim::dpd_force(context_->executor, args);
}

void DpdModule::advance(Index first, Index count) {
  State& s = *state_;
  const DpdConfig& c = config_;
  for (Index step = first + 1; step <= first + count; ++step) {
    MoveArgs move;
    move.position = {s.store.view<FixedPosition>(s.store.position()).data, s.store.locals()};
    move.velocity = s.store.elements<double>(s.velocity);
    move.predicted = s.store.elements<double>(s.predicted);
    move.force = s.store.elements<std::int64_t>(s.force);
    move.force_quantum = force_quantum_;
    move.time_step = c.time_step;
    move.lambda = c.lambda;
    move.boxes_per_length = 1 / c.length;
    gsim::dpd_move(context_->executor, move);
    find_neighbours(step);
    compute_forces(step, 0.5 * c.time_step);
    if (table_->is_due(step)) observe(step);
    done_ = step;
  }
}

void DpdModule::observe(Index step) {
  const gsim::RegionTimer::Scope scope(context_->timer.get(), "observe");
  State& s = *state_;
  std::array<gsim::ExactSum, ObserveArgs::sums_count> sums;
  ObserveArgs args;
  args.cells = s.cells.view();
  args.velocity = s.store.elements<double>(s.velocity);
  args.locals = s.store.locals();
  args.repulsion = config_.repulsion;
  args.quanta_per_unit = 1 / sum_quantum_;
  args.quanta_per_speed = 1 / speed_quantum_;
  args.sums = sums.data();
  gsim::dpd_observe(context_->executor, args);
  context_->communicator.sum(sums);
  const auto n = static_cast<double>(config_.particles);
  const double volume = config_.length * config_.length * config_.length;
  const auto total = [&](std::size_t k) { return sums[k].value(sum_quantum_); };
  const double temperature = total(0) / (3 * (n - 1)), virial = total(2) / (3 * volume);
  double momentum = 0;
  for (std::size_t a = 5; a < 8; ++a)
    momentum = std::max(momentum, std::abs(sums[a].value(speed_quantum_)));
  table_->append(step, {temperature, n / volume * temperature + virial, virial, total(1) / n,
                        total(3) / n, total(4) / n, momentum});
}

Index DpdModule::next_evaluation(Index done) const {
  if (!context_->stop.has_error_target()) return config_.steps;
  const Index first_check = config_.thermo.from + 64 * std::max<Index>(config_.thermo.every, 1);
  Index point = first_check;
  while (point <= done) point *= 2;
  return point;
}

std::vector<gsim::Estimate> DpdModule::estimates() const {
  std::vector<gsim::Estimate> all = table_->estimates();
  for (gsim::Estimate& e : all) {
    e.is_judged = e.name == "temperature" || e.name == "pressure";
    e.converged = e.is_judged && context_->stop.converged(e);
  }
  return all;
}

gsim::Module::Evaluation DpdModule::evaluate(Index) {
  Evaluation result;
  for (const gsim::Estimate& e : estimates())
    if (e.is_judged) result.add(e, context_->stop);
  result.all_converged = context_->stop.has_error_target() && result.converged == result.judged;
  return result;
}

std::string DpdModule::health() {
  const gsim::ColumnId columns[] = {state_->velocity};
  return gsim::particle_health(state_->store, state_->box, {.columns = columns, .step = done_});
}

void DpdModule::save(gsim::DatasetWriter& writer) const {
  gsim::save_particles(writer, "particles", context_->communicator, state_->store,
                       config_.particles, state_->saved());
  table_->save(writer);
}

void DpdModule::restore(gsim::DatasetReader& reader) {
  build();
  gsim::restore_particles(reader, "particles", context_->communicator, state_->store,
                          config_.particles, state_->saved());
  state_->migrator.migrate(state_->store, state_->bricks);
  table_->restore(reader);
}

void DpdModule::write_results(gsim::DatasetWriter& writer) const {
  const State& s = *state_;
  table_->write_results(writer);
  gsim::write_coordinates(writer, "particles/coordinates", context_->communicator, s.store, s.box,
                          config_.particles);
  gsim::save_particles(writer, "particles", context_->communicator, s.store, config_.particles,
                       std::array{s.velocity});
}

std::uint64_t DpdModule::digest() const {
  gsim::Digest digest;
  digest.add(table_->digest());
  digest.add(gsim::particle_digest(context_->communicator, state_->store, state_->saved(),
                                   config_.particles));
  return digest.value();
}

}  // namespace dpd
