#include "src/modules/pricing/scripts/script_library.hpp"

namespace gsim::pricing {
namespace {

struct ScriptInFile {
  std::string payoff, file;
};

std::shared_ptr<const Script> read_script(const Section& s, const ScriptInFile& input,
                                          const std::string& name) {
  if (input.payoff.empty() == input.file.empty())
    s.fail("payoff", "give either `payoff`, the text of the script, or `file`");
  if (!input.payoff.empty())
    return parse_script(ScriptText(input.payoff, s.location("payoff")), name);
  const InputFile& file = s.input_file("file", input.file);
  return parse_script(ScriptText(file.text, file.path), name);
}

}  // namespace

void describe_scripts(Section& pricing, ScriptLibrary& library) {
  library.clear();
  pricing.named_tables(
      "scripts",
      [&](Section& section, const std::string& name) {
        ScriptInFile input;
        validated(
            [&](Section& s) {
              s.optional("payoff", input.payoff,
                         {.doc = "text of the script, in the payoff language of "
                                 "configs/pricing/payoff_language.md"});
              s.optional("file", input.file, {.doc = "file with the text, in place of `payoff`"});
            },
            [&](const Section& s) { library[name] = read_script(s, input, name); })(section);
      },
      "payoffs that trades of the product `scripted` select by name");
}

std::vector<std::string> names_of(const ScriptLibrary& library) {
  std::vector<std::string> names;
  for (const auto& [name, script] : library) names.push_back(name);
  return names;
}

}  // namespace gsim::pricing
