#pragma once
// Functions of formulas (expression.hpp) that take one number.

#include <span>
#include <string_view>

namespace gsim::app {

/// A value and its derivative, for the propagation of errors.
struct ValueAndSlope {
  double value = 0, slope = 0;
};

struct NumberFunction {
  std::string_view name;
  ValueAndSlope (*evaluate)(double x);
};

/// All functions of one number.
std::span<const NumberFunction> number_functions();

}  // namespace gsim::app
