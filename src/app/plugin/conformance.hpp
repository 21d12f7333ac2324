#pragma once
// What every module must satisfy, checked on one that runs a small configuration: gsim plugin
// check.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gsim/engine/conformance.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::app {

/// A module, and a configuration that it runs within seconds.
struct Subject {
  std::string doc;
  std::function<std::unique_ptr<Module>()> make;
  std::string config, config_name;  ///< its text; relative paths in it start in the name's folder
  /// Where a part of the module is checked: makes the module without the part, which must refuse
  /// the configuration. Else a run of it would show nothing of the part.
  std::function<std::unique_ptr<Module>()> make_without = {};
  /// Further checks of the part, made where the configuration runs.
  std::function<void(const ReportFinding&)> more = {};
};

/// Checks the module and reports each finding as soon as it is made. Returns whether all checks
/// pass.
bool check_conformance(const Subject& subject, const ReportFinding& report);

}  // namespace gsim::app
