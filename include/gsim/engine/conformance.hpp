#pragma once
// Conformance checks: what parts of one kind (pair potentials, payoffs, …) must satisfy, which
// `gsim plugin check` tries on each part that a plugin brings. Whoever defines a kind of part
// registers its checks, a module of gsim as well as a plugin:
//
//   registry.extend(gsim::ConformanceCheck{
//       .module = "md", .name = "slopes_of_bonds", .doc = "force is the slope of the energy",
//       .kind = BondKind::extends, .check = check_slopes});
//
// The checks that every module must pass (same bits on any number of ranks, …) are the engine's.

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
  std::string note;     ///< further information: "not tried: no GPU driver was found"
};
using ReportFinding = std::function<void(const Finding&)>;

/// The part that is checked, and a configuration that uses it and runs within seconds.
struct ConformanceSubject {
  const Registry::Extension& part;
  const Registry& registry;         ///< that holds the part and its module
  std::string config, config_name;  ///< relative paths in the text start in the name's folder

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
  std::string module;        ///< of the parts that are checked
  std::string name;          ///< a word, which no other check has
  std::string doc;           ///< one line
  std::string kind;          ///< of the parts that are checked: Registry::Extension::kind
  bool needs_run = true;     ///< only made where the configuration has run without an error
  std::string example = {};  ///< not used
  /// Reports at least one finding. Exceptions may leave it only where the configuration is wrong.
  std::function<void(const ConformanceSubject&, const ReportFinding&)> check = {};
  const char* missing() const { return check ? nullptr : "a function that checks a part"; }
};

/// The finding of `problem()`, which returns a description of a problem, or an empty text, or
/// throws.
template <class Problem>
Finding find_problem(std::string what, const Problem& problem) {
  Finding finding{std::move(what), {}, {}};
  try {
    finding.problem = problem();
  } catch (const std::exception& e) {
    finding.problem = e.what();
  } catch (...) {
    finding.problem = "it threw something that is no error";
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
