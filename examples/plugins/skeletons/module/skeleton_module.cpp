// Random walkers on a line, divided among ranks: every step moves a walker by one place to the left
// or to the right, with equal probability. The unit of work is a step of all walkers.

#include "skeleton_module.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gsim/engine/plugin.hpp>
#include <gsim/engine/series_table.hpp>
#include <gsim/exec/array.hpp>
#include <gsim/random/plugin_purpose.hpp>
#include <gsim/random/stream.hpp>

#include "skeleton_kernels.hpp"

namespace skeleton_module {
namespace {

using gsim::Index;

class SkeletonModule : public gsim::Module {
 public:
  // Each key is described once, for reading, for messages and for `gsim schema`.
  void describe(gsim::Section& top) override {
    top.required_table(
        "skeleton",
        [this](gsim::Section& s) {
          s.required("walkers", walkers_, {.doc = "number of walkers", .minimum = 2});
          s.required(
              "steps", steps_,
              {.doc = "number of steps", .minimum = 1, .maximum = 1e4, .is_run_length = true});
          rows_.describe_every(s);  // the key `every`: steps per row of `displacement`
        },
        "random walkers on a line");
  }

  // Allocates nothing: `gsim check` ends here.
  gsim::WorkPlan plan(const gsim::Context& context) override {
    context_ = context;
    const gsim::Communicator& comm = context.communicator;
    gsim::check_addresses("walkers", walkers_, steps_ / 128 + 1, 4);  // 128 steps per block
    mine_ = gsim::partition({0, walkers_}, comm.size(), comm.rank());
    gsim::WorkPlan plan;
    plan.unit_name = "step";
    plan.total_units = steps_;
    plan.summary = std::to_string(walkers_) + " walkers";
    plan.item_name = "walker-steps";
    plan.items_per_unit = static_cast<double>(walkers_);
    const int ranks = context.forecast_ranks > 0 ? context.forecast_ranks : comm.size();
    plan.bytes_per_rank = 8.0 * std::ceil(static_cast<double>(walkers_) / ranks);
    return plan;
  }

  void prepare() override {
    position_.emplace(context_->executor, mine_.size());
    make_table();
  }

  Index next_evaluation(Index done) const override {
    return std::min(table_->next(done + 1), steps_);
  }

  void advance(Index first, Index count) override {
    const auto key = gsim::stream_key({context_->seed, gsim::plugin_purpose("skeleton", 0)});
    gsim::skeleton_walk(context_->executor, {position_->view(), mine_.first, key, first, count});
  }

  Evaluation evaluate(Index done) override {
    measure();
    table_->append(done, {estimate_.mean, estimate_.standard_error});
    Evaluation evaluation;
    evaluation.add(estimate_, context_->stop);
    evaluation.all_converged = estimate_.converged;
    return evaluation;
  }

  void update_estimates() override { measure(); }
  std::vector<gsim::Estimate> estimates() const override { return {estimate_}; }

  // Datasets are indexed by the walkers' numbers, so that any number of ranks can resume from them.
  void save(gsim::DatasetWriter& writer) const override {
    writer.write_rows<std::int64_t>("position", position_->to_host(), mine_, walkers_);
    table_->save(writer);
  }
  void restore(gsim::DatasetReader& reader) override {
    const auto position = reader.read_rows<std::int64_t>("position", mine_);
    position_.emplace(context_->executor, std::span<const std::int64_t>(position));
    make_table();
    table_->restore(reader);
  }

  void write_results(gsim::DatasetWriter& writer) const override { table_->write_results(writer); }

  gsim::ReportTable report() const override { return table_->report(); }
  std::uint64_t digest() const override { return table_->digest(); }

 private:
  /// The mean of x^2 over all walkers, and its standard error from that of x^4.
  void measure() {
    std::array<gsim::ExactSum, 2> sums;
    gsim::skeleton_moments(context_->executor, {position_->view(), sums.data()});
    context_->communicator.sum(sums);
    const auto n = static_cast<double>(walkers_);
    const double square = sums[0].value(1.0) / n, fourth = sums[1].value(1.0) / n;
    estimate_.name = "mean square displacement";
    estimate_.count = walkers_;
    estimate_.mean = square;
    estimate_.standard_error = std::sqrt((fourth - square * square) / (n - 1));
    estimate_.converged = context_->stop.converged(estimate_);
  }

  void make_table() {
    table_.emplace("displacement",
                   std::vector<gsim::SeriesColumn>{
                       {.name = "mean_square", .description = "mean square of displacements"},
                       {.name = "standard_error", .description = "of mean_square", .digits = 3}},
                   rows_);
  }

  Index walkers_ = 0, steps_ = 0;
  gsim::SeriesKeys rows_{.every = 10};
  std::optional<gsim::Context> context_;
  gsim::IndexRange mine_;                              // this rank's walkers
  std::optional<gsim::Array<std::int64_t>> position_;  // of these walkers, on the executor
  gsim::Estimate estimate_;
  std::optional<gsim::SeriesTable> table_;  // the same on every rank
};

// The example that `gsim plugin check` runs: long enough to be stopped and resumed, and finished
// within a second.
constexpr const char* example = R"(
module = "skeleton"
[skeleton]
walkers = 1000
steps = 300
every = 50
)";

}  // namespace

std::unique_ptr<gsim::Module> make_skeleton_module() { return std::make_unique<SkeletonModule>(); }

}  // namespace skeleton_module

GSIM_PLUGIN("skeleton", "0.1", "MIT", "random walkers on a line", [](gsim::Registry& registry) {
  registry.add({"skeleton", "random walkers on a line", skeleton_module::make_skeleton_module,
                skeleton_module::example});
})
