#pragma once
// Conformance checks: requirements on the parts of one kind (pair potentials, payoffs, …), which
// `gsim plugin check` tests for each part that a plugin registers. The module or plugin that
// defines a kind of part also registers its checks:
//
//   registry.extend(gsim::ConformanceCheck{
//       .module = "md", .name = "slopes_of_bonds", .doc = "force is the slope of the energy",
//       .kind = BondKind::extends, .check = check_slopes});
//
// The engine itself checks what every module must satisfy (same bits on any number of ranks, …).

#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/engine/trial.hpp"

namespace gsim {

/// The result of one check.
struct Finding {
  std::string what;     ///< what was checked: "same bits on 2 ranks"
  std::string problem;  ///< empty: the check passed
  /// Further information. If it begins with "not tried", the check was not made: "not tried: no GPU
  /// driver was found".
  std::string note;
};
using ReportFinding = std::function<void(const Finding&)>;

/// The part that is checked, and a configuration that uses it and runs within seconds.
struct ConformanceSubject {
  const Registry::Extension& part;
  const Registry& registry;  ///< contains the part and its module
  /// The text and the path of the configuration. Relative paths in the text are resolved against
  /// the folder of config_name.
  std::string config, config_name;

  /// The part as the type that was registered.
  template <class T>
  const T& part_as() const {
    return *static_cast<const T*>(part.object.get());
  }
  /// A run of the configuration with `settings` ("key=value") on one rank and one thread.
  Trial trial(const std::vector<std::string>& settings = {}) const;
};

struct ConformanceCheck {
  static constexpr char extends[] = "conformance check";
  std::string module;        ///< module of the parts that are checked
  std::string name;          ///< unique among the checks
  std::string doc;           ///< one line
  std::string kind;          ///< Registry::Extension::kind of the parts that are checked
  bool needs_run = true;     ///< whether it is skipped if a run of the configuration failed
  std::string example = {};  ///< not used; Registry::extend() requires it
  /// Reports at least one finding. It may throw only if the configuration is invalid.
  std::function<void(const ConformanceSubject&, const ReportFinding&)> check = {};
  const char* missing() const { return check ? nullptr : "a function that checks a part"; }
};

/// The finding of `problem()`, which returns the description of a problem or an empty string; an
/// exception that it throws is a problem.
template <class Problem>
Finding find_problem(std::string what, const Problem& problem) {
  Finding finding{std::move(what), {}, {}};
  try {
    finding.problem = problem();
  } catch (const std::exception& e) {
    finding.problem = e.what();
  } catch (...) {
    finding.problem = "it threw an object that is not a std::exception";
  }
  return finding;
}

/// Reports the finding of `problem()`; returns whether there is no problem.
template <class Problem>
bool report_problem(const ReportFinding& report, std::string what, const Problem& problem) {
  const Finding finding = find_problem(std::move(what), problem);
  report(finding);
  return finding.problem.empty();
}

}  // namespace gsim
