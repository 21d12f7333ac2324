#pragma once
// What every module must keep, tried on one that runs a small configuration: gsim plugin check.

#include <functional>
#include <string>
#include <vector>

#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// One thing that was tried.
struct Finding {
  std::string what;     ///< "same bits on 2, 3 and 4 ranks"
  std::string problem;  ///< empty: it holds
  std::string note;     ///< what was seen: "digest 5f1c9e0a77b2"
};

/// Tries the module of `entry` on the text of a configuration, whose relative paths start in that
/// of `config_name`; tells each finding as soon as there is one. Returns whether all hold.
bool check_conformance(const Registry::Entry& entry, const std::string& config,
                       const std::string& config_name,
                       const std::function<void(const Finding&)>& tell);

}  // namespace gsim::app
