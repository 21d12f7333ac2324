#pragma once
// The keys of a manifest as given, before the points of studies become tasks.

#include <string>
#include <vector>

#include "design.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/types.hpp"
#include "src/app/submission/submit_options.hpp"

namespace gsim::app {

/// [[task]].
struct TaskInput {
  std::string name, config;
  std::vector<std::string> set, after;
  Index ranks = 1, threads = 0;
  DesignOptions design;
  std::vector<VariedKey> vary;
  KeyLocations keys;
};

/// A manifest.
struct ManifestInput {
  std::string folder, launcher, hosts;
  Index cores = 0, gpus = -1, tasks_per_gpu = 1;
  int on_failure = 0;
  std::vector<std::string> estimates;
  std::vector<TaskInput> tasks;
  SubmitOptions submit;
};

/// Declares the keys of a manifest and their documentation.
void describe_manifest(Section& top, ManifestInput& manifest);

/// ConfigError for a name in braces that means nothing in a launcher.
void validate_manifest(const Section& top, const ManifestInput& manifest);

}  // namespace gsim::app
