// gsim validate: published values, computed and judged.

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "app.hpp"
#include "gsim/core/log.hpp"
#include "validation/case_set.hpp"
#include "validation/report.hpp"
#include "validation/runner.hpp"

namespace gsim::app {
namespace {

/// Runs all cases of one module; true when all passed.
bool validate_module(const Session& session, const std::string& module,
                     const std::vector<CaseSet>& sets, const Executor& executor) {
  const Arguments& a = session.arguments;
  const bool speaks = session.communicator.is_root();
  const ValidationContext context{&session.registry, session.communicator, executor,
                                  a.full ? ValidationLevel::full : ValidationLevel::quick, module};
  if (speaks && !a.json) fmt::print("{}\n", module);
  std::vector<CaseOutcome> outcomes;
  for (const CaseSet& set : sets) {
    if (speaks && !a.json) fmt::print("  {}: {}\n", set.title, set.citation);
    for (const ValidationCase& one : set.cases) {
      outcomes.push_back(run_case(context, set, one));
      if (speaks && !a.json) {
        fmt::print("{}\n", outcome_line(outcomes.back(), use_colour(STDOUT_FILENO)));
        std::fflush(stdout);
      }
    }
  }
  const ChiSquare chi = chi_square(outcomes);
  bool passed = chi.passed;
  for (const CaseOutcome& o : outcomes) passed = passed && o.passed;
  if (speaks && a.json) {
    fmt::print("{}\n", validation_json(module, a.full ? "full" : "quick", outcomes, chi));
  } else if (speaks) {
    fmt::print("  {}\n", summary_line(outcomes, chi));
  }
  return passed;
}

}  // namespace

int command_validate(const Session& session) {
  std::vector<std::pair<std::string, std::vector<CaseSet>>> suites;
  std::optional<Executor> executor;
  session.communicator.agree([&] {
    const std::string data = find_validation_data(session.arguments.data);
    const std::string& only = session.arguments.module;
    if (!only.empty()) session.registry.find(only);
    for (const auto& entry : session.registry.entries()) {
      if (!only.empty() && entry.name != only) continue;
      auto sets = load_case_sets(data, entry.name);
      if (!sets.empty()) suites.emplace_back(entry.name, std::move(sets));
    }
    GSIM_VALIDATE(!suites.empty(), fmt::format("no validation cases in {}", data),
                  "name their folder with --data");
    executor = bind_executor(DeviceChoice::automatic, session.launch, 0);
  });
  bool passed = true;
  for (const auto& [module, sets] : suites) {
    passed = validate_module(session, module, sets, *executor) && passed;
  }
  return static_cast<int>(passed ? ExitCode::done : ExitCode::failure);
}

}  // namespace gsim::app
