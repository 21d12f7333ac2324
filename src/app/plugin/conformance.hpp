#pragma once
// What every module must keep, tried on one that runs a small configuration: gsim plugin check.

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/engine/trial.hpp"

namespace gsim::app {

/// One thing that was tried.
struct Finding {
  std::string what;     ///< "same bits on 2 ranks"
  std::string problem;  ///< empty: it holds
  std::string note;     ///< what was seen: "not tried: no GPU driver was found"
};

/// A module, and a configuration that it runs within seconds.
struct Subject {
  std::string doc;
  std::function<std::unique_ptr<Module>()> make;
  std::string config, config_name;  ///< its text; relative paths in it start in the name's folder
  /// Where a part of the module is what is tried: the module without it, which must refuse the
  /// configuration. Else a run of it would show nothing of the part.
  std::function<std::unique_ptr<Module>()> make_without = {};
  /// What else is asked of the part, where the configuration runs: whether all of it holds.
  std::function<bool(const Subject&, const std::function<void(const Finding&)>&)> more = {};
};

/// Tries the module, and tells each finding as soon as there is one. Returns whether all hold.
bool check_conformance(const Subject& subject, const std::function<void(const Finding&)>& tell);

/// Its configuration, with `settings`, on one rank and thread.
Trial trial_of(const Subject& subject, const std::vector<std::string>& settings = {});

/// The finding that `problem()` comes to, which says what is wrong, or nothing, or throws.
template <class Problem>
Finding try_out(std::string what, const Problem& problem) {
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

/// Reports the finding of `problem()` through `tell`. Returns whether there is no problem.
template <class Problem>
bool holds(const std::function<void(const Finding&)>& tell, std::string what,
           const Problem& problem) {
  const Finding finding = try_out(std::move(what), problem);
  tell(finding);
  return finding.problem.empty();
}

}  // namespace gsim::app
