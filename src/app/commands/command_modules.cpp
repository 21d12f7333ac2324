// gsim modules: the possible values of the key `module`.

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "src/app/app.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {

int command_modules(const Session& session) {
  if (!session.communicator.is_root()) return 0;
  Json list = Json::array();
  for (const Registry::Entry& e : session.registry.entries()) {
    if (session.arguments.json) {
      list.push(Json::object().set("module", e.name).set("doc", e.doc).set("plugin", e.plugin));
    } else {
      print_out("{:<12} {}{}\n", e.name, e.doc,
                e.plugin.empty() ? "" : fmt::format(" (plugin {})", e.plugin));
    }
  }
  if (session.arguments.json) {
    print_out("{}\n", list.text());
    return 0;
  }
  for (const Registry::Extension& e : session.registry.extensions()) {
    if (e.plugin.empty()) continue;  // `gsim schema` lists the built-in ones
    print_out("{:<12} {} {}: {} (plugin {})\n", e.module, e.kind, e.name, e.doc, e.plugin);
  }
  return 0;
}

}  // namespace gsim::app
