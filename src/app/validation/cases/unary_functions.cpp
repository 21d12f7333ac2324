#include "unary_functions.hpp"

#include <array>
#include <cmath>

namespace gsim::app {
namespace {

constexpr std::array<UnaryFunction, 10> unary_table{{
    {"abs",
     [](double x) -> ValueAndSlope {
       return {std::fabs(x), 1};
     }},
    {"sqrt",
     [](double x) -> ValueAndSlope {
       return {std::sqrt(x), 0.5 / std::sqrt(x)};
     }},
    {"exp",
     [](double x) -> ValueAndSlope {
       return {std::exp(x), std::exp(x)};
     }},
    {"log",
     [](double x) -> ValueAndSlope {
       return {std::log(x), 1 / x};
     }},
    {"sin",
     [](double x) -> ValueAndSlope {
       return {std::sin(x), std::cos(x)};
     }},
    {"cos",
     [](double x) -> ValueAndSlope {
       return {std::cos(x), -std::sin(x)};
     }},
    {"tan",
     [](double x) -> ValueAndSlope {
       return {std::tan(x), 1 + std::tan(x) * std::tan(x)};
     }},
    {"asin",
     [](double x) -> ValueAndSlope {
       return {std::asin(x), 1 / std::sqrt(1 - x * x)};
     }},
    {"acos",
     [](double x) -> ValueAndSlope {
       return {std::acos(x), -1 / std::sqrt(1 - x * x)};
     }},
    {"atan",
     [](double x) -> ValueAndSlope {
       return {std::atan(x), 1 / (1 + x * x)};
     }},
}};

}  // namespace

std::span<const UnaryFunction> unary_functions() { return unary_table; }

}  // namespace gsim::app
