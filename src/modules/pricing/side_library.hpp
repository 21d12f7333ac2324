#pragma once
// Libraries that libgsim loads from its own folder when a configuration first needs them, so that
// what they are linked with is not loaded at every start.

#include <string>

namespace gsim::pricing {

/// A function of such a library, or why there is none.
struct SideFunction {
  void* function = nullptr;
  std::string problem;
};

/// The extern "C" function `function` of the library `library` ("libgsim_dates.so"), which is
/// loaded and never unloaded.
SideFunction load_side_function(const char* library, const char* function);

}  // namespace gsim::pricing
