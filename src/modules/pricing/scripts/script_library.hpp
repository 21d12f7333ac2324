#pragma once
// The scripts that trades share, [pricing.scripts.NAME].

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/scripts/script.hpp"

namespace gsim::pricing {

struct ScriptTerms;

using ScriptLibrary = std::map<std::string, std::shared_ptr<const Script>, std::less<>>;

/// The keys of a trade from which its payoff is compiled.
struct ScriptInput {
  const ScriptLibrary* library = nullptr;
  std::string text, name;  ///< the script itself, or its name in the library
  std::shared_ptr<const Script> script;
  std::vector<std::vector<double>> parameters;  ///< of each of Script::symbols
  std::vector<std::vector<double>> schedules;   ///< of each of Script::schedules, years
  std::shared_ptr<const ScriptTerms> terms;     ///< with which the script was compiled
};

/// Describes and reads the key `scripts` of [pricing].
void describe_scripts(Section& pricing, ScriptLibrary& library);

std::vector<std::string> names_of(const ScriptLibrary& library);

}  // namespace gsim::pricing
