#pragma once
// What the tasks of a batch run with: their configurations and overrides.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "manifest.hpp"

namespace gsim::app {

/// The configurations of the tasks of a batch, which are read once, and their overrides.
class TaskInputs {
 public:
  /// `batch` must live as long as this.
  explicit TaskInputs(const Batch& batch) : batch_(batch) {}

  /// Digest of the text of a task's configuration and of the overrides `set`. InputError if the
  /// configuration cannot be read.
  std::uint64_t identity(const BatchTask& task, const std::vector<std::string>& set);
  /// The overrides of a task with the values of its references. InputError where there is no such
  /// value.
  std::vector<std::string> overrides_of(const BatchTask& task) const;
  /// Whether a task leaves a checkpoint at its end: only where its configuration or its overrides
  /// name the key. A batch repeats tasks that change, so that it has no use for it.
  bool names_last_checkpoint(const BatchTask& task);

 private:
  const std::string& text_of(const BatchTask& task);

  const Batch& batch_;
  std::map<std::string, std::string> texts_;  ///< of configurations, by path
};

}  // namespace gsim::app
