// gsim schema: every key that a configuration may have.

#include <cstdio>

#include "gsim/config/schema_markdown.hpp"
#include "gsim/config/section.hpp"
#include "src/app/app.hpp"
#include "src/app/batch/manifest.hpp"
#include "src/app/validation/cases/case_set.hpp"

namespace gsim::app {
namespace {

void print_schema(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputs("\n", stdout);
}

}  // namespace

int command_schema(const Session& session) {
  std::unique_ptr<Module> module;
  const std::string& name = session.arguments.module_or_file;
  session.communicator.agree([&] {
    if (!name.empty()) module = session.registry.find(name).factory(session.registry);
  });
  if (!session.communicator.is_root()) return 0;
  if (session.arguments.validation) {
    print_schema(case_set_schema(session.arguments.json));
    return 0;
  }
  if (session.arguments.batch) {
    print_schema(batch_schema(session.arguments.json));
    return 0;
  }
  RunOptions options;
  const auto describe = [&](Section& top) {
    options.describe(top);
    if (module) module->describe(top);
  };
  const std::string title = name.empty() ? "gsim configuration" : "gsim " + name;
  if (session.arguments.json)
    print_schema(schema_json(describe, title));
  else if (session.arguments.markdown)
    print_schema(schema_markdown(describe, title));
  else
    print_schema(schema_text(describe));
  return 0;
}

}  // namespace gsim::app
