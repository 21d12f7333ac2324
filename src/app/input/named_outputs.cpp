#include "named_outputs.hpp"

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "gsim/core/toml_string.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::app {

std::vector<OutputName> outputs_of(const Registry& registry, const std::string& module,
                                   const std::string& resolved) {
  const auto described = registry.find(module).factory(registry);
  const std::vector<std::string> keys =
      output_keys([&](Section& top) { described->describe(top); });
  ConfigFile file = ConfigFile::parse(resolved, "resolved configuration");
  return output_names(file, keys);
}

std::string outputs_text(const std::vector<OutputName>& outputs) {
  std::string text;
  for (const OutputName& output : outputs)
    text += fmt::format("[[output]]\nkey = {}\nname = {}\n", toml_string(output.key),
                        toml_string(output.name));
  return text;
}

std::vector<OutputName> outputs_in(const std::string& text) {
  std::vector<OutputName> outputs;
  ConfigFile::parse(text, "provenance/outputs").read([&](Section& top) {
    top.tables<OutputName>("output", outputs,
                           [](Section& s, OutputName& output) {
                             s.required("key", output.key, {});
                             s.required("name", output.name, {});
                           },
                           {});
  });
  return outputs;
}

std::vector<std::string> outputs_beside(const std::string& base,
                                        const std::vector<OutputName>& outputs) {
  std::vector<std::string> set;
  std::set<std::string> used;
  for (const OutputName& output : outputs) {
    const std::string name = std::filesystem::path(output.name).filename().string();
    std::string file = fmt::format("{}.{}", base, name);
    for (int number = 2; !used.insert(file).second; ++number)
      file = fmt::format("{}.{}.{}", base, number, name);
    set.push_back(output.key + "=" + toml_string(file));
  }
  return set;
}

}  // namespace gsim::app
