#pragma once
// A registry that lacks a part: to see whether an example needs it, or to have another in its
// place.

#include "gsim/engine/registry.hpp"

namespace gsim::app {

inline Registry registry_without(const Registry& all, const Registry::Extension& part) {
  Registry rest;
  for (const Registry::Entry& entry : all.entries()) rest.add(entry);
  for (const Registry::Extension& other : all.extensions())
    if (&other != &part) rest.extend(other);
  return rest;
}

}  // namespace gsim::app
