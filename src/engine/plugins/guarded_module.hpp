#pragma once
// A wrapper of modules that come from plugins or are extended by plugins. It adds the name of the
// plugin to the messages of exceptions.

#include <memory>
#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::engine {

/// Wraps `make` and the modules that it returns. Exceptions other than gsim::Error and
/// std::bad_alloc become an Error that names the plugin and the function that was called.
/// MisuseError and NumericalError keep their type, and the same text is put in front of their
/// message. Other kinds of Error and std::bad_alloc are unchanged. An Error is also thrown if
/// `make` returns null.
Registry::Factory guard_factory(Registry::Factory make, const std::string& plugin);

/// Wraps the built-in module `module` in the same way if plugins extend it: messages name these
/// plugins. Unlike with guard_factory(), NumericalError is unchanged.
Registry::Factory guard_extended(Registry::Factory make, const std::string& module);

}  // namespace gsim::engine
