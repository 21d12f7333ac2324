#pragma once
// The stages of a configuration: their texts, overrides and results.

#include <string>
#include <vector>

#include "gsim/engine/stage.hpp"
#include "src/app/input/configuration.hpp"

namespace gsim::app {

/// The text of a configuration without its tables [[stage]], whose lines are empty, and these
/// tables.
struct StagedConfig {
  std::string text;
  std::vector<Stage> stages;  ///< empty: one run
};

/// Separates the stages of a configuration. ConfigError with the line in `path` for names that are
/// not names of files or are used twice, unknown keys, and references to stages that do not come
/// before.
StagedConfig separate_stages(const std::string& text, const std::string& path);

/// Applies the overrides of a stage before other stages have run: with their names for the paths of
/// their files, and with numbers for values of their results.
void set_unresolved(ConfigFile& file, const Stage& stage);

/// Names of the stages whose files or results stage `i` uses.
std::vector<std::string> references_of(const Stage& stage);

/// The path of a file of stage `i` of a configuration whose file is `output`, of results, status or
/// checkpoints: that of the last stage, and NAME.STAGE.h5 for the others.
std::string stage_output(const std::string& output, const std::vector<Stage>& stages,
                         std::size_t i);

/// Reads stage `i` of the configuration `source`, with its own names of results and checkpoints.
/// `files[k]` is the path of the files of the earlier stage k without extension; that of this stage
/// is appended. Collective; errors as load_configuration(), and InputError where results hold no
/// value to which the stage refers.
Configuration load_stage(const Session& session, const ConfigSource& source,
                         const StagedConfig& config, std::size_t i,
                         std::vector<std::string>& files);

}  // namespace gsim::app
