#include "module_run.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gsim/config/input_file.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim::app {
namespace {

/// Relative names of files start in the folder of the set, not in the current folder.
FileReader files_beside(const CaseSet& set) {
  return [folder = std::filesystem::path(set.directory)](const std::string& path) {
    return read_input_file((folder / path).string());
  };
}

}  // namespace

std::uint64_t seed_of(const std::string& name) {
  // FNV-1a with its 64-bit prime and an offset basis of gsim; the upper 52 bits are used.
  std::uint64_t h = 1469598103934665603ull;
  for (const unsigned char c : name) h = (h ^ c) * 1099511628211ull;
  return h >> 12;
}

namespace {

/// The options of a case, with the level's settings and `extra_settings`; configures the module.
RunOptions read_options(const CaseSet& set, const ValidationCase& validation_case,
                        ValidationLevel level, const std::vector<std::string>& extra_settings,
                        Module& module) {
  ConfigFile config =
      ConfigFile::parse(config_text(validation_case), config_name(set, validation_case));
  config.read_files_with(files_beside(set));
  const bool quick = level == ValidationLevel::quick;
  for (const std::string& setting :
       quick ? validation_case.quick_settings : validation_case.full_settings)
    config.set(setting);
  for (const std::string& setting : extra_settings) config.set(setting);
  return RunOptions::read(config, module);
}

}  // namespace

void check_configurations(const Registry& registry, const std::string& module, const CaseSet& set,
                          ValidationLevel level) {
  for (const ValidationCase& validation_case : set.cases) {
    std::vector<ValidationRun> runs = validation_case.runs;
    if (runs.empty()) runs.push_back({});
    for (const ValidationRun& run : runs) {
      const auto instance = registry.find(module).factory(registry);
      try {
        read_options(set, validation_case, level, run.settings, *instance);
      } catch (ConfigError& error) {
        error.add_line(
            fmt::format("in the configuration of case `{}` of {}", validation_case.name, set.path));
        throw;
      }
    }
  }
}

ModuleRun::ModuleRun(const ValidationContext& context, const CaseSet& set,
                     const ValidationCase& validation_case,
                     const std::vector<std::string>& extra_settings, std::uint64_t seed)
    : context_(context),
      module_(context.registry->find(context.module).factory(*context.registry)) {
  const RunOptions options =
      read_options(set, validation_case, context.level, extra_settings, *module_);
  StopRule stop;  // the caller checks standard errors, the module the maximum number of samples
  stop.max_samples = options.stop.max_samples;
  run_ = std::make_unique<Context>(Context{context.communicator,
                                           context.executor,
                                           options.arithmetic,
                                           seed,
                                           stop,
                                           {},
                                           [](const std::string&) {}});
  total_ = module_->plan(*run_).total_units;
  module_->prepare();
}

void ModuleRun::advance() {
  const Index next = std::min(module_->next_evaluation(done_), total_);
  advance_in_slices(next);
  done_ = next;
  module_->evaluate(done_);
  const std::string fault = module_->health();
  if (!fault.empty()) throw NumericalError(fault);
}

// In at most 16 slices, of 64 units or more, so that an interruption is handled soon.
void ModuleRun::advance_in_slices(Index to) {
  const Index slice = std::max<Index>(64, (to - done_ + 15) / 16);
  for (Index first = done_; first < to; first += slice) {
    if (context_.communicator.any(context_.interrupted && context_.interrupted()))
      throw Interrupted{};
    module_->advance(first, std::min(slice, to - first));
  }
}

}  // namespace gsim::app
