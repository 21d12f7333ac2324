#pragma once
// A registry that lacks a part, or all parts of a plugin: to see whether a configuration needs
// them, or to have another in its place.

#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// Without the extensions of which lacks(extension) says so.
template <class Lacks>
Registry registry_lacking(const Registry& all, const Lacks& lacks) {
  Registry rest;
  for (const Registry::Entry& entry : all.entries()) rest.add(entry);
  for (const Registry::Extension& extension : all.extensions())
    if (!lacks(extension)) rest.extend(extension);
  return rest;
}

inline Registry registry_without(const Registry& all, const Registry::Extension& part) {
  return registry_lacking(all, [&](const Registry::Extension& e) { return &e == &part; });
}

inline Registry registry_without(const Registry& all, const std::string& plugin) {
  return registry_lacking(all, [&](const Registry::Extension& e) { return e.plugin == plugin; });
}

}  // namespace gsim::app
