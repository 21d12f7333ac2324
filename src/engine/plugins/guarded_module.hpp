#pragma once
// A wrapper of modules of plugins, and of modules that plugins extend, which adds the plugin's name
// to exceptions other than gsim's.

#include <memory>
#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::engine {

/// Wraps `make` and the modules that it makes: exceptions other than gsim::Error and std::bad_alloc
/// become an Error that names the plugin and the function that was called. MisuseError and
/// NumericalError get the same text in front of their message. An Error also where `make` returns
/// null.
Registry::Factory guard_factory(Registry::Factory make, const std::string& plugin);

/// The same for a built-in module that plugins extend: the message for exceptions other than
/// gsim::Error, and for a MisuseError, names these plugins.
Registry::Factory guard_extended(Registry::Factory make, const std::string& module);

}  // namespace gsim::engine
