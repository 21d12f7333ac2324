// Diffusion, du/dt = D (d2u/dx2 + d2u/dy2 + d2u/dz2), by the explicit Euler method on a grid whose
// cells are divided among ranks. Its unit of work is a time step of all cells.

#include "skeleton_module.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gsim/core/digest.hpp>
#include <gsim/domain/field.hpp>
#include <gsim/domain/field_boundary.hpp>
#include <gsim/domain/field_parts.hpp>
#include <gsim/domain/field_rows.hpp>
#include <gsim/domain/field_sums.hpp>
#include <gsim/domain/fill_cells.hpp>
#include <gsim/engine/field_state.hpp>
#include <gsim/engine/grid_config.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/engine/series_table.hpp>
#include <gsim/math/policy.hpp>
#include <gsim/math/trig.hpp>

#include "skeleton_kernels.hpp"

namespace skeleton_module {
namespace {

using gsim::Cell;
using gsim::CellBlock;
using gsim::Field;
using gsim::FieldLayout;
using gsim::Index;

constexpr Cell ghosts{1, 1, 1};  // layers on both sides of each axis: the width of the stencil

class SkeletonModule : public gsim::Module {
 public:
  // Each key is described once, for reading, for messages and for `gsim schema`.
  void describe(gsim::Section& top) override {
    grid_.describe(top);
    top.required_table("skeleton",
                       gsim::validated([this](gsim::Section& s) { describe_skeleton(s); },
                                       [this](const gsim::Section& s) { validate_skeleton(s); }),
                       "diffusion of a wave");
  }

  // Allocates nothing: `gsim check` ends here.
  gsim::WorkPlan plan(const gsim::Context& context) override {
    context_ = context;
    const int ranks =
        context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
    const gsim::GridDecomposition grid = grid_.decomposition(ranks);
    gsim::WorkPlan plan;
    plan.unit_name = "step";
    plan.total_units = steps_;
    plan.summary = std::to_string(grid_.count()) + " cells";
    plan.item_name = "cell updates";
    plan.items_per_unit = static_cast<double>(grid_.count());
    for (int r = 0; r < ranks; ++r) {
      // Two fields of doubles.
      const Index rows = FieldLayout::of(grid.block(r), ghosts).rows;
      plan.bytes_per_rank = std::max(plan.bytes_per_rank, 16.0 * static_cast<double>(rows));
    }
    return plan;
  }

  // The initial value depends on a cell's global index only, so that it is the same on any number
  // of ranks.
  void prepare() override {
    build();
    const auto n = static_cast<double>(grid_.cells[0]);
    gsim::fill_cells(state_->now, [&](const Cell& cell) {
      const double x = (static_cast<double>(cell[0]) + 0.5) / n;
      return 1 + amplitude_ * gsim::sincospi<gsim::Strict>(2 * x).cos;
    });
    table_->append(0, moments(0));
  }

  Index next_evaluation(Index) const override { return steps_; }

  void advance(Index first, Index count) override {
    for (Index n = first + 1; n <= first + count; ++n) {
      step();
      if (table_->is_due(n)) table_->append(n, moments(n));
    }
  }

  /// Called at the end of the run, for which a row is added even if none is due.
  Evaluation evaluate(Index done) override {
    if (!table_->is_due(done)) table_->append_end(done, moments(done));
    return {};
  }
  void update_estimates() override {}

  // The method is deterministic: standard errors are 0.
  std::vector<gsim::Estimate> estimates() const override {
    std::vector<gsim::Estimate> all(2);
    all[0].name = "mean";
    all[0].mean = table_->last("mean");
    all[1].name = "variance";
    all[1].mean = table_->last("variance");
    for (gsim::Estimate& e : all) {
      e.standard_error = 0;
      e.count = grid_.count();
    }
    return all;
  }

  // Datasets are indexed by cells, so that any number of ranks can resume from them.
  void save(gsim::DatasetWriter& writer) const override {
    gsim::save_field<double>(writer, "values", state_->rows, state_->now);
    table_->save(writer);
  }
  void restore(gsim::DatasetReader& reader) override {
    build();
    gsim::restore_field<double>(reader, "values", state_->rows, state_->now);
    table_->restore(reader);
  }

  void write_results(gsim::DatasetWriter& writer) const override {
    table_->write_results(writer);
    gsim::save_field<double>(writer, "values", state_->rows, state_->now);
  }

  gsim::ReportTable report() const override { return table_->report(); }

  std::uint64_t digest() const override {
    gsim::Digest digest;
    digest.add(state_->rows.digest<double>(state_->now));
    digest.add(table_->digest());
    return digest.value();
  }

 private:
  void describe_skeleton(gsim::Section& s) {
    s.required("diffusivity", diffusivity_,
               {.doc = "diffusion coefficient D", .unit = "length^2/time", .minimum = 0});
    s.required("time_step", time_step_,
               {.doc = "time step dt", .unit = "time", .minimum = 0, .exclusive_minimum = true});
    s.required("steps", steps_,
               {.doc = "number of time steps", .minimum = 1, .is_run_length = true});
    rows_.describe_every(s);  // the key `every`: steps per row of `decay`
    s.optional("amplitude", amplitude_,
               {.doc = "amplitude of the wave along x that is added to 1 at the start"});
  }

  // Checks that need more than one key. They run after a configuration was read, and not when
  // `gsim schema` prints the keys.
  void validate_skeleton(const gsim::Section& s) const {
    const double sum = diffusion_number(0) + diffusion_number(1) + diffusion_number(2);
    if (!(sum <= 0.5))
      s.fail("time_step",
             "the explicit method is unstable where D dt (1/hx^2 + 1/hy^2 + 1/hz^2) exceeds 1/2",
             "use a time step of at most " + std::to_string(time_step_ * 0.5 / sum));
  }

  /// All data of the size of the grid; made by prepare() or restore().
  struct State {
    State(const gsim::Context& context, const gsim::GridConfig& config)
        : grid(config.decomposition(context.communicator.size())),
          halo(context.communicator, grid, ghosts, context.executor, context.buffers),
          parts(gsim::FieldParts::of(grid, halo.layout())),
          boundary(grid, halo.layout()),
          rows(context.communicator, grid),
          now(Field::of<double>(context.executor, halo.layout(), 1, {"concentration"})),
          next(Field::of<double>(context.executor, halo.layout())) {
      config.set_conditions(boundary);
    }
    gsim::GridDecomposition grid;
    gsim::FieldHalo halo;
    gsim::FieldParts parts;
    gsim::FieldBoundary boundary;
    gsim::FieldRows rows;
    Field now, next;  ///< values at this and at the next step
  };

  /// D dt / h^2: the fraction of the difference between two neighbours by which one step changes
  /// each of them.
  double diffusion_number(std::size_t axis) const {
    return diffusivity_ * time_step_ / (grid_.spacing[axis] * grid_.spacing[axis]);
  }

  /// Ghosts are exchanged while the cells that need no values of other ranks are computed.
  void step() {
    State& s = *state_;
    Field* const fields[] = {&s.now};
    gsim::while_exchanging(
        s.halo, fields, s.parts, [&] { s.boundary.fill(s.now); },
        [&](const CellBlock& part) {
          gsim::skeleton_step(context_->executor,
                              {gsim::CellLoop::of(s.halo.layout(), part),
                               s.now.view<double>(),
                               s.next.view<double>(),
                               {diffusion_number(0), diffusion_number(1), diffusion_number(2)}});
        });
    std::swap(s.now, s.next);
  }

  /// Sums over cells are exact, and so the same on any number of ranks.
  std::array<double, 2> moments(Index step) {
    State& s = *state_;
    const gsim::Communicator& comm = context_->communicator;
    const auto cells = static_cast<double>(grid_.count());
    const double mean = gsim::sum_cells(comm, s.now, {.step = step})[0] / cells;
    gsim::skeleton_square(context_->executor, {gsim::CellLoop::of(s.halo.layout()),
                                               s.now.view<double>(), s.next.view<double>(), mean});
    const double variance = gsim::sum_cells(comm, s.next, {"squares", step})[0] / cells;
    return {mean, variance};
  }

  void build() {
    state_.emplace(*context_, grid_);
    table_.emplace("decay",
                   std::vector<gsim::SeriesColumn>{
                       {.name = "mean", .description = "mean of all cells"},
                       {.name = "variance", .description = "mean squared deviation from the mean"}},
                   rows_);
  }

  gsim::GridConfig grid_;
  double diffusivity_ = 1, time_step_ = 0, amplitude_ = 0.5;
  Index steps_ = 0;
  gsim::SeriesKeys rows_{.every = 10};
  std::optional<gsim::Context> context_;
  std::optional<State> state_;
  std::optional<gsim::SeriesTable> table_;  // the same on every rank
};

// The example that `gsim plugin check` runs: long enough to be stopped and resumed, and finished
// within a second.
constexpr const char* example = R"(
module = "skeleton"
[grid]
cells = [16, 9, 7]
spacing = [0.1, 0.1, 0.1]
[grid.z]
lower = "fixed"
lower_value = 1.0
upper = "zero_gradient"
[skeleton]
diffusivity = 1.0
time_step = 0.001
steps = 30
every = 5
)";

}  // namespace

std::unique_ptr<gsim::Module> make_skeleton_module() { return std::make_unique<SkeletonModule>(); }

}  // namespace skeleton_module

GSIM_PLUGIN("skeleton", "0.1", "MIT", "diffusion on a grid", [](gsim::Registry& registry) {
  registry.add({"skeleton", "diffusion on a grid", skeleton_module::make_skeleton_module,
                skeleton_module::example});
})
