// Tests that `gsim plugin check` reports modules whose results depend on ranks, threads, CPU level
// or repetition, and examples that do not use the part that they are for.

#include "src/app/plugin/conformance.hpp"

#include <map>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::app;

namespace {

/// The fault of a module: what its results depend on although they must not, or a missing text.
enum class Fault {
  none,
  repeated,              ///< how often the run was repeated
  level,                 ///< the CPU level
  threads,               ///< the number of threads
  ranks,                 ///< the number of ranks
  threads_and_ranks,     ///< the number of threads, if there are several ranks
  resumed_with_threads,  ///< the number of threads of a resumed run
  undocumented           ///< a key has no documentation
};

int runs = 0;  // number of modules created so far

/// Counts its steps; with a fault the count also depends on how the module is run. If `has_part`,
/// the module has the key `part`, which stands for a part that a plugin registers.
class Counter : public Module {
 public:
  explicit Counter(Fault fault, bool has_part = true) : fault_(fault), has_part_(has_part) {
    ++runs;
  }
  void describe(Section& top) override {
    top.required_table(
        "counter",
        [this](Section& s) {
          s.required("steps", steps_, {.doc = "number of steps"});
          if (has_part_)
            s.optional("part", part_,
                       {.doc = fault_ == Fault::undocumented ? "" : "value of the part"});
        },
        "module that counts its steps");
  }
  WorkPlan plan(const Context& context) override {
    const int ranks = context.communicator.size(), threads = context.executor.threads();
    if (fault_ == Fault::repeated) count_ = runs;
    if (fault_ == Fault::level && context.executor.target() != best_cpu_target()) count_ = 1;
    if (fault_ == Fault::threads) count_ = threads;
    if (fault_ == Fault::ranks) count_ = ranks;
    if (fault_ == Fault::threads_and_ranks && ranks > 1) count_ = threads - 1;
    threads_ = threads;
    WorkPlan plan;
    plan.unit_name = "step";
    plan.total_units = steps_;
    plan.bytes_per_rank = 1;
    return plan;
  }
  void prepare() override {}
  Index next_evaluation(Index) const override { return steps_; }
  void advance(Index, Index count) override { count_ += count; }
  Evaluation evaluate(Index) override { return {}; }
  void update_estimates() override {}
  std::vector<Estimate> estimates() const override {
    return {{.name = "count", .mean = 1, .standard_error = 0, .count = 1}};
  }
  void save(DatasetWriter& writer) const override { writer.write("count", count_); }
  void restore(DatasetReader& reader) override {
    count_ = reader.read_value<Index>("count");
    if (fault_ == Fault::resumed_with_threads) count_ += threads_ - 1;
  }
  void write_results(DatasetWriter& writer) const override { writer.write("count", count_); }
  ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return static_cast<std::uint64_t>(count_); }

 private:
  Fault fault_;
  bool has_part_;
  Index steps_ = 0, part_ = 0, count_ = 0;
  int threads_ = 1;
};

/// Runs the check on the module with a fault: the name of each failed check -> the problem found.
std::map<std::string, std::string> problems(Fault fault, const char* part_keys = "part = 1\n") {
  const Subject subject{"counts", [=] { return std::make_unique<Counter>(fault); },
                        std::string("module = \"counter\"\n[counter]\nsteps = 4\n") + part_keys,
                        "counter.toml", [=] { return std::make_unique<Counter>(fault, false); }};
  std::map<std::string, std::string> found;
  const bool conforms = check_conformance(subject, [&](const Finding& f) {
    if (!f.problem.empty()) found[f.what] = f.problem;
  });
  CHECK(conforms == found.empty());
  return found;
}

}  // namespace

TEST_CASE("conformance: a module that counts its steps conforms") {
  CHECK(problems(Fault::none).empty());
}

TEST_CASE(
    "conformance: dependence on repetition, threads, ranks, threads of several ranks, or CPU level "
    "is reported") {
  CHECK(problems(Fault::repeated).count("same bits when run again") == 1);
  CHECK(problems(Fault::threads).count("same bits on 3 threads") == 1);
  CHECK(problems(Fault::ranks).count("same bits on 2 ranks") == 1);
  const auto both = problems(Fault::threads_and_ranks);
  CHECK(both.count("same bits on 3 ranks of 2 threads") == 1);
  CHECK(both.count("same bits on 2 ranks") + both.count("same bits on 3 threads") == 0);
  const auto resumed = problems(Fault::resumed_with_threads);
  CHECK(resumed.size() == 1);
  CHECK(resumed.count("same bits when stopped on 1 rank and resumed on 3 ranks of 2 threads") == 1);
  if (available_cpu_targets().size() == 1) return;
  const auto level = problems(Fault::level);
  CHECK(level.size() == available_cpu_targets().size() - 1);
  for (const auto& [what, problem] : level) CHECK(what.starts_with("same bits at the CPU level "));
}

TEST_CASE("conformance: an unused part and a key without documentation are reported") {
  const auto unused = problems(Fault::none, "");
  REQUIRE(unused.size() == 1);
  CHECK(unused.begin()->first == "its example uses it");
  CHECK(unused.begin()->second.starts_with("the configuration is valid without it, too"));
  const auto undocumented = problems(Fault::undocumented);
  REQUIRE(undocumented.size() == 1);
  CHECK(undocumented.begin()->second == "without documentation: counter.part");
}
