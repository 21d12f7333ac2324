#pragma once
// Functions of one number that formulas can call (expression.hpp).

#include <span>
#include <string_view>

namespace gsim::app {

/// A value and its derivative, for the propagation of errors.
struct ValueAndSlope {
  double value = 0, slope = 0;
};

struct UnaryFunction {
  std::string_view name;
  ValueAndSlope (*evaluate)(double x);
};

/// All unary functions, by name.
std::span<const UnaryFunction> unary_functions();

}  // namespace gsim::app
