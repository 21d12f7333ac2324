// Brownian particles without interactions in a periodic box, with domain decomposition. The unit of
// work is a time step of all particles.

#include "skeleton_module.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gsim/core/digest.hpp>
#include <gsim/domain/box.hpp>
#include <gsim/domain/cell_list.hpp>
#include <gsim/domain/decomposition.hpp>
#include <gsim/domain/halo.hpp>
#include <gsim/domain/migrator.hpp>
#include <gsim/domain/particle_health.hpp>
#include <gsim/domain/particle_store.hpp>
#include <gsim/engine/particle_state.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/engine/series_table.hpp>
#include <gsim/random/plugin_purpose.hpp>
#include <gsim/random/stream.hpp>

#include "skeleton_kernels.hpp"

namespace skeleton_module {
namespace {

using gsim::FixedPosition;
using gsim::Index;

constexpr double largest_normal = 6.8;  // upper bound of gsim::normals (random/normal.hpp)

class SkeletonModule : public gsim::Module {
 public:
  // Each key is described once, for reading, for messages and for `gsim schema`.
  void describe(gsim::Section& top) override {
    top.required_table("skeleton",
                       gsim::validated([this](gsim::Section& s) { describe_skeleton(s); },
                                       [this](const gsim::Section& s) { validate_skeleton(s); }),
                       "Brownian particles");
  }

  // Allocates nothing: `gsim check` calls this and no later function.
  gsim::WorkPlan plan(const gsim::Context& context) override {
    context_ = context;
    gsim::check_addresses("particles", particles_, steps_, 4);
    gsim::WorkPlan plan;
    plan.unit_name = "step";
    plan.total_units = steps_;
    plan.summary = std::to_string(particles_) + " particles";
    plan.item_name = "particle-steps";
    plan.items_per_unit = static_cast<double>(particles_);
    const int ranks =
        context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
    plan.bytes_per_rank = 80.0 * std::ceil(static_cast<double>(particles_) / ranks);
    return plan;
  }

  // Every rank creates the particles of its share of ids, anywhere in the box, and sends them to
  // the ranks that own their positions.
  void prepare() override {
    build();
    gsim::ParticleStore& store = state_->store;
    const gsim::IndexRange mine = share();
    std::vector<FixedPosition> positions;
    const auto key = gsim::stream_key({context_->seed, gsim::plugin_purpose("skeleton", 1)});
    for (Index id = mine.first; id < mine.last; ++id) {
      const auto words = gsim::philox_block(key, static_cast<std::uint64_t>(id), 0, 0);
      positions.push_back({{std::uint64_t{words.x0} << 32, std::uint64_t{words.x1} << 32,
                            std::uint64_t{words.x2} << 32}});
    }
    store.make_locals(mine);  // displacements are 0
    store.assign(store.position(), positions);
    migrate();
    observe(0);
  }

  Index next_evaluation(Index done) const override {
    return std::min(table_->next(done + 1), steps_);
  }

  void advance(Index first, Index count) override {
    gsim::ParticleStore& store = state_->store;
    WalkArgs args;
    args.id = {store.view<std::int64_t>(store.id()).data, store.locals()};
    args.position = {store.view<FixedPosition>(store.position()).data, store.locals()};
    args.moved = store.elements<double>(state_->moved);
    args.key = gsim::stream_key({context_->seed, gsim::plugin_purpose("skeleton", 0)});
    args.first_step = first;
    args.steps = count;
    args.deviation = deviation();
    args.units_per_length = 0x1p64 / length_;
    gsim::skeleton_walk(context_->executor, args);
    done_ = first + count;
  }

  Evaluation evaluate(Index done) override {
    migrate();
    observe(done);
    Evaluation evaluation;
    const gsim::Estimate judged = estimates()[0];
    evaluation.add(judged, context_->stop);
    evaluation.all_converged = judged.converged;
    return evaluation;
  }

  // Called after every slice: a NaN ends the run with a message that names the particle.
  std::string health() override {
    return gsim::particle_health(state_->store, state_->box, {.step = done_});
  }

  void update_estimates() override {}
  std::vector<gsim::Estimate> estimates() const override {
    const auto n = static_cast<double>(particles_);
    std::vector<gsim::Estimate> all(2);
    all[0].name = "mean square displacement";
    all[0].mean = table_->last("mean_square");
    // The squared displacement of three normal components has variance 2/3 of its squared mean.
    all[0].standard_error = all[0].mean * std::sqrt(2 / (3 * n));
    all[1].name = "neighbours";
    all[1].mean = table_->last("neighbours");
    // Pairs are counted twice; their number is Poisson distributed.
    all[1].standard_error = std::sqrt(2 * all[1].mean / n);
    for (gsim::Estimate& e : all) {
      e.count = particles_;
      e.converged = context_->stop.converged(e);
    }
    return all;
  }

  // Datasets are in the order of ids, so that any number of ranks can resume from them.
  void save(gsim::DatasetWriter& writer) const override {
    gsim::save_particles(writer, "particles", context_->communicator, state_->store, particles_);
    table_->save(writer);
  }
  void restore(gsim::DatasetReader& reader) override {
    build();
    gsim::restore_particles(reader, "particles", context_->communicator, state_->store, particles_);
    migrate();
    table_->restore(reader);
  }

  void write_results(gsim::DatasetWriter& writer) const override {
    table_->write_results(writer);
    gsim::write_coordinates(writer, "coordinates", context_->communicator, state_->store,
                            state_->box, particles_);
  }

  gsim::ReportTable report() const override { return table_->report(); }

  std::uint64_t digest() const override {
    const gsim::ParticleStore& store = state_->store;
    gsim::Digest digest;
    digest.add(table_->digest());
    digest.add(gsim::particle_digest(context_->communicator, store,
                                     std::array{store.position(), state_->moved}, particles_));
    return digest.value();
  }

 private:
  void describe_skeleton(gsim::Section& s) {
    s.required("particles", particles_, {.doc = "number of particles", .minimum = 2});
    s.required("length", length_,
               {.doc = "edge of the periodic cubic box",
                .unit = "length",
                .minimum = 0,
                .exclusive_minimum = true});
    s.required("diffusivity", diffusivity_,
               {.doc = "diffusion coefficient D", .unit = "length^2/time", .minimum = 0});
    s.required("time_step", time_step_,
               {.doc = "time step dt", .unit = "time", .minimum = 0, .exclusive_minimum = true});
    s.required("steps", steps_,
               {.doc = "number of time steps", .minimum = 1, .is_run_length = true});
    rows_.describe_every(s);  // the key `every`: steps per row of `motion`
    s.optional("reach", reach_,
               {.doc = "largest distance of two neighbours",
                .unit = "length",
                .minimum = 0,
                .exclusive_minimum = true});
  }

  // Checks that need more than one key. They run after a configuration was read, and not when
  // `gsim schema` prints the keys.
  void validate_skeleton(const gsim::Section& s) const {
    if (!(2 * reach_ <= length_))
      s.fail("reach", "the box is narrower than twice the reach",
             "use a reach of at most " + std::to_string(length_ / 2));
    if (!(4 * largest_normal * deviation() < length_))
      s.fail("time_step", "a particle may cross a quarter of the box in one step",
             "use a smaller time step");
  }

  /// This rank's particles and their decomposition.
  struct State {
    State(const gsim::Context& context, double length, double reach)
        : box({0, 0, 0}, {length, length, length}),
          bricks(box, context.communicator.size()),
          store(context.executor),
          moved(store.add_column("moved", gsim::ElementType::float64, 3, gsim::Ghosts::none)),
          migrator(context.communicator, context.executor, context.buffers),
          halo(context.communicator),
          cells(context.executor, box, reach) {}
    gsim::Box box;
    gsim::Decomposition bricks;  ///< part of the box of each rank
    gsim::ParticleStore store;
    /// Displacement of each particle since step 0: a column in addition to "position" and "id",
    /// which every store has.
    gsim::ColumnId moved;
    gsim::Migrator migrator;
    gsim::HaloPlan halo;
    gsim::CellList cells;
  };

  void build() {
    state_.emplace(*context_, length_, reach_);
    table_.emplace(
        "motion",
        std::vector<gsim::SeriesColumn>{
            {.name = "mean_square",
             .unit = "length^2",
             .description = "mean square displacement since step 0"},
            {.name = "neighbours", .description = "mean number of neighbours of a particle"}},
        rows_);
  }

  /// Standard deviation of one coordinate in one step: <x^2> = 2 D dt.
  double deviation() const { return std::sqrt(2 * diffusivity_ * time_step_); }

  /// The ids that this rank reads, writes and creates, independent of the owners of the particles.
  gsim::IndexRange share() const {
    const gsim::Communicator& comm = context_->communicator;
    return gsim::partition({0, particles_}, comm.size(), comm.rank());
  }
  /// Migrates particles with all their columns to the ranks that own their positions.
  void migrate() { state_->migrator.migrate(state_->store, state_->bricks); }

  /// Adds a row to the table: sums over all particles, and over pairs of neighbours. Neighbours of
  /// a particle are in the cells around it, among this rank's particles and the ghosts.
  void observe(Index step) {
    State& s = *state_;
    const gsim::Communicator& comm = context_->communicator;
    s.halo.build(s.store, s.box, s.bricks, reach_, context_->buffers);  // brings ghosts
    s.cells.build(s.store);
    // Fixed-point unit of the squared displacements: 2^-30 of a power of two above their mean.
    const double expected =
        6 * diffusivity_ * time_step_ * static_cast<double>(std::max<Index>(step, 1));
    int exponent = 0;
    (void)std::frexp(expected, &exponent);
    const double quantum = std::ldexp(1.0, exponent - 30);
    std::array<gsim::ExactSum, 2> sums;
    ObserveArgs args;
    args.cells = s.cells.view();
    args.moved = s.store.elements<double>(s.moved);
    args.locals = s.store.locals();
    args.quanta_per_square = 1 / quantum;
    args.sums = sums.data();
    gsim::skeleton_observe(context_->executor, args);
    comm.sum(sums);
    const auto n = static_cast<double>(particles_);
    table_->append(step, {sums[0].value(quantum) / n, sums[1].value(1.0) / n});
  }

  Index particles_ = 0, steps_ = 0, done_ = 0;
  double length_ = 1, diffusivity_ = 1, time_step_ = 0, reach_ = 1;
  gsim::SeriesKeys rows_{.every = 10};
  std::optional<gsim::Context> context_;
  std::optional<State> state_;
  std::optional<gsim::SeriesTable> table_;  // the same on every rank
};

// The example that `gsim plugin check` runs: long enough to be stopped and resumed, shorter than a
// second.
constexpr const char* example = R"(
module = "skeleton"
[skeleton]
particles = 500
length = 5.0
diffusivity = 1.0
time_step = 0.001
steps = 60
every = 10
reach = 1.0
)";

}  // namespace

std::unique_ptr<gsim::Module> make_skeleton_module() { return std::make_unique<SkeletonModule>(); }

}  // namespace skeleton_module

GSIM_PLUGIN("skeleton", "0.1", "MIT", "Brownian particles", [](gsim::Registry& registry) {
  registry.add({"skeleton", "Brownian particles", skeleton_module::make_skeleton_module,
                skeleton_module::example});
})
