#pragma once
// What is thrown where a module calls gsim's SDK in a way that it does not allow. The engine puts
// the plugin's name in front of it (engine/plugin_module.cpp).

#include "gsim/core/error.hpp"

namespace gsim {

/// A rule of the SDK was broken by who called it. The message says which, and what to call instead.
class MisuseError : public Error {
 public:
  using Error::Error;
};

}  // namespace gsim
