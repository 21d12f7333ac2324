#include "gsim/config/without_plugin.hpp"

#include <fmt/format.h>

namespace gsim {

void refuse_without_plugin(const Section& section, std::string_view key, std::string_view what) {
  if (!section.has(key)) return;
  section.ignore_unread();  // else it would be told as a key that belongs elsewhere
  section.fail(key, fmt::format("no plugin that brings {} is loaded", what),
               "name one that does: plugins = [\"FILE\"] in the configuration, or --plugin FILE");
}

}  // namespace gsim
