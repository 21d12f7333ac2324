// Brownian particles that do not feel each other in a periodic box, divided among ranks by where
// they are. Its unit of work is a time step of all particles.

#include "skeleton_module.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gsim/core/digest.hpp>
#include <gsim/domain/box.hpp>
#include <gsim/domain/decomposition.hpp>
#include <gsim/domain/halo.hpp>
#include <gsim/domain/migrator.hpp>
#include <gsim/domain/particle_store.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/random/plugin_purpose.hpp>
#include <gsim/random/stream.hpp>

#include "skeleton_kernels.hpp"

namespace skeleton_module {
namespace {

using gsim::FixedPosition;
using gsim::Index;

constexpr double longest_normal = 6.8;  // what gsim::normals give is smaller (random/normal.hpp)

class SkeletonModule : public gsim::Module {
 public:
  // Each key once: for reading, for messages, for `gsim schema`.
  void configure(gsim::Section& top) override {
    top.required_table(
        "skeleton",
        [this](gsim::Section& s) {
          s.required("particles", particles_, {.doc = "how many there are", .minimum = 2});
          s.required("length", length_,
                     {.doc = "edge of the cubic box, which is periodic",
                      .unit = "length",
                      .minimum = 0,
                      .exclusive_minimum = true});
          s.required("diffusivity", diffusivity_,
                     {.doc = "D", .unit = "length^2/time", .minimum = 0});
          s.required("time_step", time_step_,
                     {.doc = "dt", .unit = "time", .minimum = 0, .exclusive_minimum = true});
          s.required("steps", steps_, {.doc = "time steps of the run", .minimum = 1});
          s.optional("observe", observe_,
                     {.doc = "a row of the table `motion` every so many steps", .minimum = 1});
          s.optional(
              "reach", reach_,
              {.doc = "particles nearer than this are neighbours", .unit = "length", .minimum = 0});
          if (s.describing()) return;
          if (!(2 * reach_ <= length_))
            s.fail("reach", "the box is narrower than twice the reach",
                   "use a reach of at most " + std::to_string(length_ / 2));
          if (!(4 * longest_normal * deviation() < length_))
            s.fail("time_step", "a particle may cross a quarter of the box in one step",
                   "use a smaller time step");
        },
        "Brownian particles");
  }

  // Allocates nothing: `gsim check` ends here.
  gsim::WorkPlan plan(const gsim::Context& context) override {
    context_ = context;
    gsim::check_addresses("particles", particles_, steps_, 4);
    gsim::WorkPlan plan;
    plan.unit_name = "step";
    plan.total_units = steps_;
    plan.summary = std::to_string(particles_) + " particles";
    plan.rate_name = "particle-steps";
    plan.rate_per_unit = static_cast<double>(particles_);
    const int ranks =
        context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
    plan.bytes_per_rank = 56.0 * std::ceil(static_cast<double>(particles_) / ranks);
    return plan;
  }

  // Every rank makes the particles of its share of ids, wherever they are, and sends them to their
  // owners.
  void prepare() override {
    state_.emplace(*context_, length_);
    gsim::ParticleStore& store = state_->store;
    const gsim::IndexRange mine = share();
    std::vector<FixedPosition> positions;
    const auto key = gsim::stream_key({context_->seed, gsim::plugin_purpose("skeleton", 1)});
    for (Index id = mine.first; id < mine.last; ++id) {
      const auto words = gsim::philox_block(key, static_cast<std::uint64_t>(id), 0, 0);
      positions.push_back({{std::uint64_t{words.x0} << 32, std::uint64_t{words.x1} << 32,
                            std::uint64_t{words.x2} << 32}});
    }
    store.resize_locals(mine.size());  // the way moved is 0
    put(store.position(), positions);
    put_ids(mine);
    migrate();
    observe(0);
  }

  Index next_evaluation(Index done) const override {
    return std::min((done / observe_ + 1) * observe_, steps_);
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
  }

  Evaluation evaluate(Index done) override {
    migrate();
    observe(done);
    Evaluation evaluation;
    evaluation.all_converged = context_->stop.converged(now_[0]);
    evaluation.worst_absolute_error = now_[0].standard_error;
    evaluation.worst_relative_error = now_[0].standard_error / now_[0].mean;
    return evaluation;
  }

  void update_estimates() override {}
  std::vector<gsim::Estimate> estimates() const override { return {now_.begin(), now_.end()}; }

  // Datasets are in the order of ids, so that any number of ranks can go on from them.
  void save(gsim::DatasetWriter& writer) const override {
    const gsim::ParticleStore& store = state_->store;
    for (const gsim::ColumnId column : {store.position(), state_->moved}) {
      const auto rows = gsim::rows_by_id(context_->communicator, store, column, particles_);
      const auto& c = store.column(column);
      writer.write_rows(c.name, {c.type, particles_, c.components}, share(), rows.data());
    }
    write_table(writer);
  }
  void restore(gsim::DatasetReader& reader) override {
    state_.emplace(*context_, length_);
    gsim::ParticleStore& store = state_->store;
    store.resize_locals(share().size());
    put(store.position(), reader.read_rows<std::uint64_t>("position", share()));
    put(state_->moved, reader.read_rows<double>("moved", share()));
    put_ids(share());
    migrate();
    at_ = reader.read<Index>("motion/step");
    square_ = reader.read<double>("motion/mean_square");
    neighbours_ = reader.read<double>("motion/neighbours");
  }

  void write_results(gsim::DatasetWriter& writer) const override { write_table(writer); }

  gsim::ReportTable report() const override {
    gsim::ReportTable table;
    table.columns = {"step", "mean square displacement", "neighbours"};
    table.right_aligned = {true, true, true};
    for (std::size_t i = 0; i < at_.size(); ++i)
      table.rows.push_back(
          {std::to_string(at_[i]), std::to_string(square_[i]), std::to_string(neighbours_[i])});
    return table;
  }

  std::uint64_t digest() const override {
    gsim::Digest digest;
    for (std::size_t i = 0; i < at_.size(); ++i)
      digest.add(at_[i]).add(square_[i]).add(neighbours_[i]);
    return digest.value();
  }

 private:
  /// This rank's particles, and what moves them between ranks.
  struct State {
    State(const gsim::Context& context, double length)
        : box({0, 0, 0}, {length, length, length}),
          bricks(box, context.communicator.size()),
          store(context.executor),
          moved(store.add_column("moved", gsim::ElementType::float64, 3, gsim::Ghosts::none)),
          migrator(context.communicator, context.executor, context.buffers),
          halo(context.communicator) {}
    gsim::Box box;
    gsim::Decomposition bricks;  ///< which part of the box each rank owns
    gsim::ParticleStore store;
    gsim::ColumnId moved;  ///< beside "position" and "id", which every store has
    gsim::Migrator migrator;
    gsim::HaloPlan halo;
  };

  /// Of one coordinate in one step: <x^2> = 2 D dt.
  double deviation() const { return std::sqrt(2 * diffusivity_ * time_step_); }

  /// The ids that this rank reads, writes and makes; whose owners the particles are is another
  /// matter.
  gsim::IndexRange share() const {
    const gsim::Communicator& comm = context_->communicator;
    return gsim::partition({0, particles_}, comm.size(), comm.rank());
  }
  template <class T>
  void put(gsim::ColumnId column, const std::vector<T>& values) {
    if (!values.empty())
      context_->executor.copy_from_host(state_->store.data(column), values.data(),
                                        values.size() * sizeof(T));
  }
  void put_ids(gsim::IndexRange range) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(range.size()));
    std::iota(ids.begin(), ids.end(), range.first);
    put(state_->store.id(), ids);
  }

  /// Sends particles to the ranks in whose bricks they are, with all their columns.
  void migrate() { state_->migrator.migrate(state_->store, state_->bricks); }

  void observe(Index step) {
    State& s = *state_;
    const gsim::Communicator& comm = context_->communicator;
    s.halo.build(s.store, s.box, s.bricks, reach_, context_->buffers);  // brings ghosts
    const double expected =
        6 * diffusivity_ * time_step_ * static_cast<double>(std::max<Index>(step, 1));
    int exponent = 0;
    (void)std::frexp(expected, &exponent);
    const double quantum = std::ldexp(1.0, exponent - 30);
    std::array<gsim::ExactSum, 2> sums;
    ObserveArgs args;
    args.position = s.store.view<FixedPosition>(s.store.position());
    args.moved = s.store.elements<double>(s.moved);
    args.locals = s.store.locals();
    args.quanta_per_square = 1 / quantum;
    args.length_per_unit = length_ * 0x1p-64;
    args.reach = reach_;
    args.sums = sums.data();
    gsim::skeleton_observe(context_->executor, args);
    comm.sum(sums);
    const auto n = static_cast<double>(particles_);
    now_[0].name = "mean square displacement";
    now_[0].mean = sums[0].value(quantum) / n;
    // Of normal numbers along three axes the square has the variance 2/3 of its mean's square.
    now_[0].standard_error = now_[0].mean * std::sqrt(2 / (3 * n));
    now_[1].name = "neighbours";
    now_[1].mean = sums[1].value(1.0) / n;
    // Pairs are counted twice, and are a Poisson number.
    now_[1].standard_error = std::sqrt(2 * now_[1].mean / n);
    for (gsim::Estimate& e : now_) e.count = particles_;
    at_.push_back(step);
    square_.push_back(now_[0].mean);
    neighbours_.push_back(now_[1].mean);
  }

  void write_table(gsim::DatasetWriter& writer) const {
    writer.write("motion/step", at_);
    writer.write("motion/mean_square", square_);
    writer.write("motion/neighbours", neighbours_);
  }

  Index particles_ = 0, steps_ = 0, observe_ = 10;
  double length_ = 1, diffusivity_ = 1, time_step_ = 0, reach_ = 0;
  std::optional<gsim::Context> context_;
  std::optional<State> state_;
  std::array<gsim::Estimate, 2> now_;
  std::vector<Index> at_;  // the table, the same on every rank
  std::vector<double> square_, neighbours_;
};

// What `gsim plugin check` runs: long enough to be stopped and resumed, and done within a second.
constexpr const char* example = R"(
module = "skeleton"
[skeleton]
particles = 500
length = 5.0
diffusivity = 1.0
time_step = 0.001
steps = 60
observe = 10
reach = 1.0
)";

}  // namespace

std::unique_ptr<gsim::Module> make_skeleton_module() { return std::make_unique<SkeletonModule>(); }

}  // namespace skeleton_module

GSIM_PLUGIN("skeleton", "0.1", "MIT", "Brownian particles", [](gsim::Registry& registry) {
  registry.add({"skeleton", "Brownian particles", skeleton_module::make_skeleton_module,
                skeleton_module::example});
})
