#pragma once
// A plugin's module between the engine and itself: exceptions that are none of gsim's get the
// plugin's name.

#include <memory>
#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::engine {

/// `make`, and the modules that it makes, with every exception that is no gsim::Error and not
/// std::bad_alloc turned into an Error that names the plugin and says what it was doing. An Error
/// also where `make` makes nothing.
Registry::Factory guard_factory(Registry::Factory make, std::string plugin);

}  // namespace gsim::engine
