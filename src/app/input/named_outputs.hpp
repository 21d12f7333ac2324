#pragma once
// Output files besides the results that keys of a configuration name.

#include <string>
#include <vector>

#include "gsim/config/output_keys.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// Those that keys of the module name in a resolved configuration.
std::vector<OutputName> outputs_of(const Registry& registry, const std::string& module,
                                   const std::string& resolved);

/// The text by which results keep the names of further output files, and the names in such a text.
std::string outputs_text(const std::vector<OutputName>& outputs);
std::vector<OutputName> outputs_in(const std::string& text);

/// The overrides that give further output files of a configuration the names FOLDER/STEM.NAME, for
/// the path `base` = FOLDER/STEM, with a number where two files would have the same one.
std::vector<std::string> outputs_beside(const std::string& base,
                                        const std::vector<OutputName>& outputs);

}  // namespace gsim::app
