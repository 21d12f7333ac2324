#include "gsim/config/without_plugin.hpp"

#include <fmt/format.h>

namespace gsim {

void refuse_without_plugin(const Section& section, std::string_view key, std::string_view what) {
  if (!section.has(key)) return;
  section.ignore_unread();  // so that the key is not reported as unknown, too
  section.fail(key, fmt::format("no plugin that defines {} is loaded", what),
               "name such a plugin: plugins = [\"FILE\"] in the configuration, or --plugin FILE");
}

}  // namespace gsim
