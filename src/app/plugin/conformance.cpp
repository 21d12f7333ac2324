#include "conformance.hpp"

#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/schema_gaps.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/trial.hpp"
#include "gsim/io/run_specific.hpp"

namespace gsim::app {
namespace {

/// The contents without datasets that depend on the run, such as paths of its files.
MemoryDatasets::Contents comparable(MemoryDatasets::Contents contents) {
  std::erase_if(contents.datasets,
                [&](const auto& entry) { return is_run_specific(contents, entry.first); });
  return contents;
}

/// A description of the first difference between two runs; empty where there is none.
std::string difference(const TrialOutcome& a, const TrialOutcome& b) {
  if (a.done != b.done) return fmt::format("it ended after {} units, not {}", b.done, a.done);
  const auto compare = [](const char* group, const MemoryDatasets::Contents& left,
                          const MemoryDatasets::Contents& right) -> std::string {
    for (const auto& [path, dataset] : left.datasets) {
      const auto match = right.datasets.find(path);
      if (match == right.datasets.end())
        return fmt::format("its {} do not contain {}", group, path);
      if (!(match->second == dataset)) return fmt::format("{} differs in its {}", path, group);
    }
    return left == right ? "" : fmt::format("its {} contain more, or other attributes", group);
  };
  if (auto found = compare("results", a.results, b.results); !found.empty()) return found;
  if (auto found = compare("state", comparable(a.state), comparable(b.state)); !found.empty())
    return found;
  if (a.digest != b.digest)
    return fmt::format("its digest is {}, not {}", hex(b.digest, 12), hex(a.digest, 12));
  return {};
}

std::string judge_estimates(const TrialOutcome& run) {
  std::set<std::string> names;
  for (const Estimate& e : run.estimates) {
    if (e.name.empty()) return "an estimate has no name";
    if (!names.insert(e.name).second)
      return fmt::format("two estimates have the name `{}`", e.name);
    if (!std::isfinite(e.mean)) return fmt::format("`{}` is not finite", e.name);
    if (!(e.standard_error >= 0)) return fmt::format("`{}` has no standard error", e.name);
    if (e.count <= 0) return fmt::format("`{}` has no samples", e.name);
  }
  return {};
}

std::string judge_plan(const WorkPlan& plan) {
  if (plan.unit_name.empty()) return "the name of its unit is empty (WorkPlan::unit_name)";
  if (plan.total_units <= 0) return "its number of units is not positive (WorkPlan::total_units)";
  if (!(plan.bytes_per_rank > 0))
    return "its forecast of memory is not positive (WorkPlan::bytes_per_rank)";
  return {};
}

/// The ranks and threads of a trial.
struct Workers {
  int ranks = 1;
  int threads = 1;  ///< of each rank

  void apply(Trial& trial) const {
    trial.ranks = ranks;
    trial.threads = threads;
  }
  std::string text() const {
    return fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s") +
           (threads == 1 ? "" : fmt::format(" of {} threads", threads));
  }
};

class Suite {
 public:
  Suite(const Subject& subject, const ReportFinding& report)
      : subject_(subject),
        base_{.make = subject.make, .config = subject.config, .config_name = subject.config_name},
        report_([this, &report](const Finding& finding) {
          report(finding);
          all_pass_ = all_pass_ && finding.problem.empty();
        }) {}

  bool run() {
    schema();
    if (!check("runs its example on one rank and thread", [&] {
          reference_ = run_trial(base_);
          return "";
        }))
      return false;
    check("plans its work", [&] { return judge_plan(reference_.plan); });
    check("has estimates with standard errors", [&] { return judge_estimates(reference_); });
    check("writes results", [&] {
      return reference_.results.datasets.empty() ? "write_results() wrote nothing" : "";
    });
    check_use();
    expect_same_bits("same bits when run again", {});
    expect_same_bits("same bits on 3 threads", [](Trial& t) { t.threads = 3; });
    expect_same_bits("same bits in slices of one unit", [](Trial& t) { t.slice = 1; });
    for (const Workers w : {Workers{2}, {3, 2}, {4}, {7}})
      expect_same_bits("same bits on " + w.text(), [w](Trial& t) { w.apply(t); });
    for (const Target level : available_cpu_targets()) {
      if (level == best_cpu_target()) continue;  // all other trials run on it
      expect_same_bits(fmt::format("same bits at the CPU level {}", to_string(level)),
                       [level](Trial& t) { t.level = level; });
    }
    resume();
    device();
    if (subject_.check_part) subject_.check_part(report_);
    return all_pass_;
  }

 private:
  template <class Problem>
  bool check(const std::string& what, const Problem& problem) {
    return report_problem(report_, what, problem);
  }

  void schema() {
    check("documents every key", [&]() -> std::string {
      const auto module = subject_.make();
      const auto undocumented = undocumented_keys([&](Section& top) { module->describe(top); });
      return undocumented.empty()
                 ? ""
                 : fmt::format("without documentation: {}", fmt::join(undocumented, ", "));
    });
    check("has a line of documentation",
          [&] { return subject_.doc.empty() ? "its entry in the registry has no doc" : ""; });
  }

  /// Checks whether the configuration needs the part.
  void check_use() {
    if (!subject_.make_without_part) return;
    check("its example uses it", [&] {
      const auto module = subject_.make_without_part();
      ConfigFile file = ConfigFile::parse(subject_.config, subject_.config_name);
      try {
        RunOptions::read(file, *module);
      } catch (const InputError&) {  // the expected result
        return "";
      }
      return "the configuration is valid without it, too: choose the part in it";
    });
  }

  void expect_same_bits(const std::string& what, const std::function<void(Trial&)>& change) {
    check(what, [&] {
      Trial trial = base_;
      if (change) change(trial);
      return difference(reference_, run_trial(trial));
    });
  }

  /// Stops halfway and resumes on other numbers of ranks.
  void resume() {
    if (reference_.done < 2) {
      report_({"same bits when resumed", "", "not tried: the example has one unit only"});
      return;
    }
    for (const auto& [before, after] : std::initializer_list<std::pair<Workers, Workers>>{
             {{1}, {1}}, {{1}, {3, 2}}, {{3}, {2}}, {{4, 2}, {1}}})
      resume(before, after);
  }

  void resume(const Workers& before, const Workers& after) {
    check(
        fmt::format("same bits when stopped on {} and resumed on {}", before.text(), after.text()),
        [&] {
          Trial first_part = base_;
          before.apply(first_part);
          first_part.last = reference_.done / 2;
          const TrialOutcome stopped = run_trial(first_part);
          Trial second_part = base_;
          after.apply(second_part);
          second_part.from = &stopped.state;
          second_part.first = stopped.done;
          return difference(reference_, run_trial(second_part));
        });
  }

  void device() {
    const std::string reason = no_cuda_reason();
    if (!reason.empty()) {
      report_({"same bits on a GPU", "", "not tried: " + reason});
      return;
    }
    // The name of a device says whether it is emulated (restart_with_emulated_gpu()).
    expect_same_bits(fmt::format("same bits on a GPU ({})", cuda_devices().front().name),
                     [](Trial& t) { t.cuda_device = 0; });
  }

  const Subject& subject_;
  Trial base_;
  ReportFinding report_;
  TrialOutcome reference_;
  bool all_pass_ = true;
};

}  // namespace

bool check_conformance(const Subject& subject, const ReportFinding& report) {
  return Suite(subject, report).run();
}

}  // namespace gsim::app
