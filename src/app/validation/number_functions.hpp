#pragma once
// Functions of formulas (expression.hpp) that take one number.

#include <span>
#include <string_view>

namespace gsim::app {

/// A value and the derivative there, by which errors of the argument go on.
struct ValueAndSlope {
  double value = 0, slope = 0;
};

struct NumberFunction {
  std::string_view name;
  ValueAndSlope (*evaluate)(double x);
};

/// All of them: what formulas can call, and what messages name.
std::span<const NumberFunction> number_functions();

}  // namespace gsim::app
