#pragma once
// One run of a module for a validation case: no files, no checkpoints, no progress.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cases/case_set.hpp"
#include "gsim/comm/communicator.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/exec/executor.hpp"

namespace gsim::app {

enum class ValidationLevel { quick, full };

struct ValidationContext {
  const Registry* registry = nullptr;
  Communicator communicator;
  Executor executor;
  ValidationLevel level = ValidationLevel::quick;
  std::string module;
  /// Called often on every rank; the case is ended if it returns true on any of them.
  std::function<bool()> interrupted = {};
};

/// The exception of an interrupted run.
struct Interrupted {};

/// A seed for the runs that have this name, and for no others (FNV-1a).
std::uint64_t seed_of(const std::string& name);

/// Reads the configurations of all cases and runs of a set without running them: ConfigError, with
/// the line in the set's file, for a configuration that the module refuses.
void check_configurations(const Registry& registry, const std::string& module, const CaseSet& set,
                          ValidationLevel level);

class ModuleRun {
 public:
  /// Configures a module by the case's configuration, the level's settings and `extra_settings`,
  /// and prepares its initial state. Throws the same errors as `gsim run`.
  ModuleRun(const ValidationContext& context, const CaseSet& set,
            const ValidationCase& validation_case, const std::vector<std::string>& extra_settings,
            std::uint64_t seed);

  bool is_done() const { return done_ >= total_; }
  /// Advances to the next evaluation point. NumericalError when the module reports a fault.
  void advance();
  /// The module, evaluated at the present point.
  const Module& module() const { return *module_; }
  Module& module() { return *module_; }

 private:
  void advance_in_slices(Index to);

  const ValidationContext& context_;
  std::unique_ptr<Context> run_;  // outlives the module
  std::unique_ptr<Module> module_;
  Index done_ = 0, total_ = 0;
};

}  // namespace gsim::app
