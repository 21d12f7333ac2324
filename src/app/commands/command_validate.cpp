// gsim validate: recomputes published values and compares the results with them.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/config/section.hpp"
#include "gsim/core/terminal.hpp"
#include "gsim/engine/signals.hpp"
#include "src/app/app.hpp"
#include "src/app/start/standard_streams.hpp"
#include "src/app/validation/cases/case_set.hpp"
#include "src/app/validation/report.hpp"
#include "src/app/validation/runner.hpp"
#include "src/app/validation/value_runner.hpp"

namespace gsim::app {
namespace {

/// Wall time and processor time (of all threads of this process) since the construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double cpu_seconds() const {
    return static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t cpu_start_ = std::clock();
};

/// Output while cases run: all lines, or with --json only progress, on stderr.
class CaseOutput {
 public:
  CaseOutput(bool is_root, bool json) : is_root_(is_root), json_(json) {}
  void detail(const std::string& line) const {
    if (!is_root_ || json_) return;
    print_out("{}\n", line);
    std::fflush(stdout);
  }
  void progress(const std::string& line) const {
    if (!is_root_) return;
    if (json_) return print_to_stderr(line + "\n");
    print_out("{}\n", line);
    std::fflush(stdout);
  }
  bool is_root() const { return is_root_; }

 private:
  bool is_root_, json_;
};

/// Runs the cases of a set; returns false if it was interrupted.
bool validate_set(const ValidationContext& context, const CaseSet& set, const CaseOutput& output,
                  ValidationReport& report) {
  const Stopwatch watch;
  output.detail(set_heading(set));
  if (!set.missing_file.empty()) {
    output.detail(
        fmt::format("    skipped: there is no file {}; set $LAMMPS_POTENTIALS to its folder",
                    set.missing_file));
    return true;
  }
  for (const ValidationCase& validation_case : set.cases) {
    try {
      const auto outcomes = validation_case.values.empty()
                                ? std::vector{run_case(context, set, validation_case)}
                                : run_values(context, set, validation_case);
      for (const CaseOutcome& o : outcomes) {
        report.outcomes.push_back(o);
        output.detail(outcome_line(o, use_colour(STDOUT_FILENO)));
      }
    } catch (const Interrupted&) {
      return false;
    }
  }
  output.progress(progress_line(report, set.id, watch.seconds(), watch.cpu_seconds()));
  return true;
}

/// A folder of the validation data, named after a module, and its sets. A set may be one of another
/// module: the folder risk also has sets of the module pricing.
using Suite = std::pair<std::string, std::vector<CaseSet>>;

/// The module of a set: that of its configurations, or, where there are none since a file is
/// missing, the name of its folder.
std::string module_of(const CaseSet& set) {
  std::string name;
  if (!set.cases.empty())
    name = ConfigFile::parse(config_text(set.cases[0]), config_name(set, set.cases[0]))
               .peek_string("module");
  if (name.empty()) name = std::filesystem::absolute(set.path).parent_path().filename().string();
  return name;
}

/// The module of a set; that of the suite where the configuration is malformed, which fails its
/// case.
std::string module_in_suite(const CaseSet& set, const std::string& suite) {
  try {
    return module_of(set);
  } catch (const ConfigError&) {
    return suite;
  }
}

/// Runs all cases of one suite; true when all passed.
bool validate_suite(const Session& session, const Suite& suite, const Executor& executor) {
  const auto& [name, sets] = suite;
  const Arguments& a = session.arguments;
  const CaseOutput output(session.communicator.is_root(), a.json);
  ValidationContext context{&session.registry,
                            session.communicator,
                            executor,
                            a.full ? ValidationLevel::full : ValidationLevel::quick,
                            {},
                            [] { return engine::SignalGuard::received() != 0; }};
  ValidationReport report;
  report.module = name;
  report.level = a.full ? "full" : "quick";
  for (const CaseSet& set : sets) report.cases += count_values(set);
  output.detail(name);
  const Stopwatch watch;
  for (const CaseSet& set : sets) {
    context.module = module_in_suite(set, name);
    if (!validate_set(context, set, output, report)) break;
  }
  report.seconds = watch.seconds();
  report.cpu_seconds = watch.cpu_seconds();
  if (output.is_root() && a.json) print_out("{}\n", validation_json(report));
  output.detail(summary(report));
  return report.passed();
}

/// The suites reduced to the sets named in `only`. InputError for a name that no set has.
std::vector<Suite> keep_only(const std::vector<Suite>& suites,
                             const std::vector<std::string>& only) {
  std::vector<std::string> known;
  for (const auto& [module, sets] : suites)
    for (const CaseSet& set : sets) known.push_back(set.id);
  for (const std::string& name : only) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string closest = did_you_mean(name, known);
    throw InputError(
        fmt::format("--only {}: there is no such set of cases{}", name,
                    closest.empty() ? "" : fmt::format("; did you mean {}?", closest)));
  }
  std::vector<Suite> reduced;
  for (const auto& [module, sets] : suites) {
    std::vector<CaseSet> chosen_sets;
    for (const CaseSet& set : sets)
      if (std::find(only.begin(), only.end(), set.id) != only.end()) chosen_sets.push_back(set);
    if (!chosen_sets.empty()) reduced.emplace_back(module, std::move(chosen_sets));
  }
  return reduced;
}

bool is_case_file(const std::string& name) {
  return std::filesystem::path(name).extension() == ".toml";
}

/// `gsim validate FILE`: its configurations are checked before any case runs.
std::vector<Suite> load_case_file(const Session& session) {
  const Arguments& a = session.arguments;
  const CaseSet set = load_case_set(a.module_or_file, ColumnFunctions(session.registry));
  const std::string module = module_of(set);
  session.registry.find(module);  // InputError for an unknown module
  check_configurations(session.registry, module, set,
                       a.full ? ValidationLevel::full : ValidationLevel::quick);
  return {{module, {set}}};
}

std::vector<Suite> load_suites(const Session& session) {
  const Arguments& a = session.arguments;
  if (is_case_file(a.module_or_file))
    return a.only.empty() ? load_case_file(session) : keep_only(load_case_file(session), a.only);
  const std::string data = find_validation_data(a.data);
  const std::string& chosen = a.module_or_file;
  std::vector<std::string> names;
  for (const auto& entry : session.registry.entries()) names.push_back(entry.name);
  // InputError for an unknown module.
  if (!chosen.empty()) session.registry.find(chosen);
  std::vector<Suite> suites;
  for (const std::string& name : names) {
    if (!chosen.empty() && name != chosen) continue;
    auto sets = load_case_sets(data, name, ColumnFunctions(session.registry));
    // Without --full, long sets are left out unless --only names sets.
    if (!a.full && a.only.empty()) std::erase_if(sets, [](const CaseSet& s) { return s.is_long; });
    if (!sets.empty()) suites.emplace_back(name, std::move(sets));
  }
  GSIM_VALIDATE(!suites.empty(), fmt::format("no validation cases in {}", data),
                "name their folder with --data");
  return a.only.empty() ? suites : keep_only(suites, a.only);
}

}  // namespace

int command_validate(const Session& session) {
  const Arguments& a = session.arguments;
  const DeviceChoice device = a.device == "cuda"  ? DeviceChoice::cuda
                              : a.device == "cpu" ? DeviceChoice::cpu
                                                  : DeviceChoice::automatic;
  std::vector<Suite> suites;
  std::optional<Executor> executor;
  session.communicator.agree([&] {
    suites = load_suites(session);
    executor = bind_executor(device, session.launch, a.threads);
  });
  const engine::SignalGuard signals(
      true);  // a signal ends the validation with a report of the finished cases
  bool passed = true;
  for (const Suite& suite : suites) passed = validate_suite(session, suite, *executor) && passed;
  return static_cast<int>(passed ? ExitCode::done : ExitCode::failure);
}

}  // namespace gsim::app
