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
  std::uint64_t h = 1469598103934665603ull;
  for (const unsigned char c : name) h = (h ^ c) * 1099511628211ull;
  return h >> 12;
}

namespace {

/// The options of a case, with the level's settings and `more`; configures the module.
RunOptions read_options(const CaseSet& set, const ValidationCase& one, ValidationLevel level,
                        const std::vector<std::string>& more, Module& module) {
  ConfigFile config = ConfigFile::parse(config_text(one), config_name(set, one));
  config.read_files_with(files_beside(set));
  const bool quick = level == ValidationLevel::quick;
  for (const std::string& setting : quick ? one.quick_settings : one.full_settings)
    config.set(setting);
  for (const std::string& setting : more) config.set(setting);
  return RunOptions::read(config, module);
}

}  // namespace

void check_configurations(const Registry& registry, const std::string& module, const CaseSet& set,
                          ValidationLevel level) {
  for (const ValidationCase& one : set.cases) {
    std::vector<ValidationRun> runs = one.runs;
    if (runs.empty()) runs.push_back({});
    for (const ValidationRun& run : runs) {
      const auto made = registry.find(module).factory(registry);
      try {
        read_options(set, one, level, run.settings, *made);
      } catch (ConfigError& error) {
        error.add_line(fmt::format("in the configuration of case `{}` of {}", one.name, set.path));
        throw;
      }
    }
  }
}

ModuleRun::ModuleRun(const ValidationContext& context, const CaseSet& set,
                     const ValidationCase& one, const std::vector<std::string>& more,
                     std::uint64_t seed)
    : context_(context),
      module_(context.registry->find(context.module).factory(*context.registry)) {
  const RunOptions options = read_options(set, one, context.level, more, *module_);
  StopRule stop;  // the caller evaluates errors, the module the largest number of samples
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
  const std::string trouble = module_->health();
  if (!trouble.empty()) throw NumericalError(trouble);
}

// In slices, so that an interruption is handled soon.
void ModuleRun::advance_in_slices(Index to) {
  const Index slice = std::max<Index>(64, (to - done_ + 15) / 16);
  for (Index first = done_; first < to; first += slice) {
    if (context_.communicator.any(context_.interrupted && context_.interrupted()))
      throw Interrupted{};
    module_->advance(first, std::min(slice, to - first));
  }
}

}  // namespace gsim::app
