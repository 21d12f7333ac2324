#pragma once
// Materials from TOML text, and their tables in host memory.

#include <string>

#include "gsim/config/section.hpp"
#include "src/modules/transport/materials/material_tables.hpp"
#include "src/modules/transport/materials/materials_config.hpp"
#include "support/messages.hpp"

namespace gsim::test {

inline transport::MaterialSet read_materials(const std::string& text,
                                             const std::string& name = "run.toml") {
  transport::MaterialSet set;
  auto file = ConfigFile::parse(text, name);
  file.read([&](Section& top) { transport::describe_materials(top, set); });
  return set;
}

/// The error message of invalid materials.
inline std::string refused_material(const std::string& text) {
  return message_of<ConfigError>([&] { read_materials(text); });
}

/// Tables in host memory.
inline transport::MaterialTables host_tables(const transport::MaterialSet& set) {
  return {Executor::host(1), transport::make_material_arrays(set)};
}

}  // namespace gsim::test
