#pragma once
// The exception for calls of gsim's SDK that violate its rules. The engine adds the name of the
// plugin (engine/plugin_module.cpp).

#include "gsim/core/error.hpp"

namespace gsim {

/// A caller violated a rule of the SDK. The message names the rule and the call to use instead.
class MisuseError : public Error {
 public:
  using Error::Error;
};

}  // namespace gsim
