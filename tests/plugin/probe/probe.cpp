// Module `probe` counts its steps. The environment variable PROBE_FAULT selects one error that it
// makes, such as an exception in a certain function.
#include <csignal>
#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <gsim/domain/field_sums.hpp>
#include <gsim/engine/module.hpp>
#include <gsim/engine/plugin.hpp>

#ifndef PROBE_NAME
#define PROBE_NAME "probe"
#endif
#ifndef PROBE_VERSION
#define PROBE_VERSION "1"
#endif

namespace {

using gsim::Index;

bool is_selected(std::string_view fault) {
  const char* const selected = std::getenv("PROBE_FAULT");
  return selected != nullptr && fault == selected;
}

void throw_if_selected(std::string_view place) {
  if (is_selected(place)) throw std::out_of_range("the probe fails as selected");
}

struct Global {
  Global() { throw_if_selected("load"); }
} global;

#ifdef PROBE_CALLS_UNDEFINED_FUNCTION
}
void undefined_function();
namespace {
#endif

class Probe : public gsim::Module {
 public:
  Probe() {
    throw_if_selected("constructor");
    if (is_selected("throws an int"))
      throw 42;  // NOLINT: not an exception of the standard library, on purpose
#ifdef PROBE_CALLS_UNDEFINED_FUNCTION
    undefined_function();
#endif
  }
  ~Probe() override { throw_if_selected("destructor"); }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  void describe(gsim::Section& top) override {
    throw_if_selected("configure");
    top.required_table(
        "probe",
        [this](gsim::Section& s) {
          s.required(
              "steps", steps_,
              {.doc = is_selected("no documentation") ? "" : "number of steps", .minimum = 1});
        },
        "module that counts its steps");
  }
  gsim::WorkPlan plan(const gsim::Context& context) override {
    throw_if_selected("plan");
    context_ = context;
    gsim::WorkPlan plan;
    plan.unit_name = "step";
    plan.total_units = steps_;
    plan.bytes_per_rank = 100;
    return plan;
  }
  void prepare() override {}
  Index next_evaluation(Index) const override { return steps_; }
  void advance(Index, Index count) override {
    if (is_selected("crash")) std::abort();
    if (is_selected("exit")) std::exit(0);
    if (is_selected("exit at once")) std::_Exit(0);
    if (is_selected("segfault")) std::raise(SIGSEGV);
    if (!is_selected("one rank") || context_->communicator.rank() == 1)
      throw_if_selected("advance");
    if (is_selected("one rank") && context_->communicator.rank() == 1)
      throw std::out_of_range("the probe fails as selected");
    if (is_selected("halo posted twice") || is_selected("not a number")) misuse_field();
    if (!is_selected("no count")) count_ += count;
    // Counts that depend on the number of ranks, of threads or of slices.
    if (is_selected("ranks")) count_ += context_->communicator.size() - 1;
    if (is_selected("threads")) count_ += context_->executor.threads();
    if (is_selected("slices")) ++count_;
  }
  Evaluation evaluate(Index) override { return {}; }
  void update_estimates() override {}
  std::vector<gsim::Estimate> estimates() const override {
    gsim::Estimate e;
    e.name = "count";
    e.mean = static_cast<double>(count_);
    e.standard_error =
        is_selected("no standard error") ? std::numeric_limits<double>::quiet_NaN() : 0;
    e.count = 1;
    return {e};
  }
  void save(gsim::DatasetWriter& writer) const override {
    writer.write("count", is_selected("save") ? Index{0} : count_);
  }
  void restore(gsim::DatasetReader& reader) override { count_ = reader.read_value<Index>("count"); }
  void write_results(gsim::DatasetWriter& writer) const override { writer.write("count", count_); }
  gsim::ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return static_cast<std::uint64_t>(count_); }

 private:
  /// Posts a halo exchange twice, or sums a field of NaNs.
  void misuse_field() {
    const gsim::Communicator& comm = context_->communicator;
    constexpr auto open = gsim::Boundary::open;
    const gsim::GridDecomposition grid({4, 4, 4}, {open, open, open}, comm.size());
    gsim::FieldHalo halo(comm, grid, {1, 1, 1}, context_->executor, context_->buffers);
    gsim::Field field = gsim::Field::of<double>(context_->executor, halo.layout());
    gsim::Field* const fields[] = {&field};
    halo.post(fields);
    if (is_selected("halo posted twice")) halo.post(fields);
    halo.finish();
    for (double& x : field.elements<double>()) x = std::numeric_limits<double>::quiet_NaN();
    (void)gsim::sum_cells(comm, field, 1.0, {"heat", 3});
  }

  Index steps_ = 0, count_ = 0;
  std::optional<gsim::Context> context_;
};

std::unique_ptr<gsim::Module> make_probe() {
  if (is_selected("null")) return nullptr;
  return std::make_unique<Probe>();
}

void add(gsim::Registry& registry) {
  if (is_selected("registers nothing")) return;
  if (is_selected("empty name")) registry.add({"", "counts", make_probe});
  if (is_selected("name with blanks")) registry.add({"a b\n[x]", "counts", make_probe});
  if (is_selected("unknown module")) registry.extend({"orbital", "quantum", "gaussian", "", ""});
  if (is_selected("unnamed part")) registry.extend({"bond", "md", "a b", "", ""});
  throw_if_selected("add");
  registry.add({is_selected("name in use") ? "md" : "probe", "counts", make_probe,
                is_selected("no example") ? "" : "module = \"probe\"\n[probe]\nsteps = 12\n"});
  if (is_selected("registered twice")) registry.add({"probe", "counts", make_probe});
}

}  // namespace

GSIM_PLUGIN(PROBE_NAME, PROBE_VERSION, "MIT", "counts steps, and fails as PROBE_FAULT selects", add)
