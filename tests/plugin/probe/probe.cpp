// A module that counts, and fails at the place that the environment variable PROBE selects.
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

bool told(std::string_view fault) {
  const char* const probe = std::getenv("PROBE");
  return probe != nullptr && fault == probe;
}

void fail_if_told(std::string_view place) {
  if (told(place)) throw std::out_of_range("the probe was told to fail");
}

struct Global {
  Global() { fail_if_told("load"); }
} global;

#ifdef PROBE_MISSES_A_FUNCTION
}
void nobody_defines_this();
namespace {
#endif

class Probe : public gsim::Module {
 public:
  Probe() {
    fail_if_told("constructor");
    if (told("number")) throw 42;  // NOLINT: what must not be done
#ifdef PROBE_MISSES_A_FUNCTION
    nobody_defines_this();
#endif
  }
  ~Probe() override { fail_if_told("destructor"); }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  void describe(gsim::Section& top) override {
    fail_if_told("configure");
    top.required_table(
        "probe",
        [this](gsim::Section& s) {
          s.required("steps", steps_, {.doc = told("silent") ? "" : "how many", .minimum = 1});
        },
        "counts");
  }
  gsim::WorkPlan plan(const gsim::Context& context) override {
    fail_if_told("plan");
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
    if (told("crash")) std::abort();
    if (told("exit")) std::exit(0);
    if (told("exit at once")) std::_Exit(0);
    if (told("segfault")) std::raise(SIGSEGV);
    if (!told("one rank") || context_->communicator.rank() == 1) fail_if_told("advance");
    if (told("one rank") && context_->communicator.rank() == 1)
      throw std::out_of_range("the probe was told to fail");
    if (told("unfinished") || told("not a number")) use_a_field();
    if (!told("forgetful")) count_ += count;
    if (told("ranks")) count_ += context_->communicator.size() - 1;
    if (told("threads")) count_ += context_->executor.threads();
    if (told("slices")) ++count_;
  }
  Evaluation evaluate(Index) override { return {}; }
  void update_estimates() override {}
  std::vector<gsim::Estimate> estimates() const override {
    gsim::Estimate e;
    e.name = "count";
    e.mean = static_cast<double>(count_);
    e.standard_error = told("errorless") ? std::numeric_limits<double>::quiet_NaN() : 0;
    e.count = 1;
    return {e};
  }
  void save(gsim::DatasetWriter& writer) const override {
    writer.write("count", told("save") ? Index{0} : count_);
  }
  void restore(gsim::DatasetReader& reader) override { count_ = reader.read_value<Index>("count"); }
  void write_results(gsim::DatasetWriter& writer) const override { writer.write("count", count_); }
  gsim::ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return static_cast<std::uint64_t>(count_); }

 private:
  /// Posts a halo twice, or sums a value that is not a number.
  void use_a_field() {
    const gsim::Communicator& comm = context_->communicator;
    constexpr auto open = gsim::Boundary::open;
    const gsim::GridDecomposition grid({4, 4, 4}, {open, open, open}, comm.size());
    gsim::FieldHalo halo(comm, grid, {1, 1, 1}, context_->executor, context_->buffers);
    gsim::Field field = gsim::Field::of<double>(context_->executor, halo.layout());
    gsim::Field* const fields[] = {&field};
    halo.post(fields);
    if (told("unfinished")) halo.post(fields);
    halo.finish();
    for (double& x : field.elements<double>()) x = std::numeric_limits<double>::quiet_NaN();
    (void)gsim::sum_cells(comm, field, 1.0, {"heat", 3});
  }

  Index steps_ = 0, count_ = 0;
  std::optional<gsim::Context> context_;
};

std::unique_ptr<gsim::Module> make_probe() {
  if (told("null")) return nullptr;
  return std::make_unique<Probe>();
}

void add(gsim::Registry& registry) {
  if (told("nothing")) return;
  if (told("nameless")) registry.add({"", "counts", make_probe});
  if (told("spaced")) registry.add({"a b\n[x]", "counts", make_probe});
  if (told("nowhere")) registry.extend({"pudding", "kitchen", "rice", "", ""});
  if (told("unnamed part")) registry.extend({"bond", "md", "a b", "", ""});
  fail_if_told("add");
  registry.add({told("taken") ? "md" : "probe", "counts", make_probe,
                told("no example") ? "" : "module = \"probe\"\n[probe]\nsteps = 12\n"});
  if (told("twice")) registry.add({"probe", "counts", make_probe});
}

}  // namespace

GSIM_PLUGIN(PROBE_NAME, PROBE_VERSION, "MIT", "counts, and fails on request", add)
