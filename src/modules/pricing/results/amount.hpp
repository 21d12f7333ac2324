#pragma once
// Amounts of money as text.

#include <string>

namespace gsim::pricing {

/// The number of decimals that shows two significant digits of the error.
int decimals_of(double error);
/// The value with a number of decimals.
std::string amount(double value, int decimals);

}  // namespace gsim::pricing
