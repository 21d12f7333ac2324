#pragma once
// The checks of `gsim plugin check` that every module must pass, made with a small configuration.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gsim/engine/conformance.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::app {

/// A module, and a configuration whose run takes seconds.
struct Subject {
  std::string doc;
  std::function<std::unique_ptr<Module>()> make;
  /// The text of the configuration, and its path; relative paths in it start in the path's folder.
  std::string config, config_name;
  /// If a part of the module is checked: creates the module without the part. That module must
  /// refuse the configuration, since otherwise a run of it would not test the part.
  std::function<std::unique_ptr<Module>()> make_without_part = {};
  /// Further checks of the part, made if the configuration runs.
  std::function<void(const ReportFinding&)> check_part = {};
};

/// Checks the module and reports each finding as soon as it is made. Returns whether all checks
/// pass.
bool check_conformance(const Subject& subject, const ReportFinding& report);

}  // namespace gsim::app
