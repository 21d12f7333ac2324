// Prices with early exercise against values of other methods.

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/pricing/exercise/bounds.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

std::string put_config(double spot, double volatility, double maturity) {
  return fmt::format(R"(
[market]
rate = 0.06
[market.assets.A]
spot = {}
volatility = {}
[[trades]]
id = "put"
product = "european"
asset = "A"
type = "put"
strike = 40
maturity = {}
exercise = "bermudan"
exercise_count = {}
)",
                     spot, volatility, maturity, 50 * maturity);
}

}  // namespace

TEST_CASE("Bermudan puts of Longstaff and Schwartz") {
  // Table 1 of Longstaff and Schwartz (2001); the values were recomputed by a recursion of the
  // density, with 50 exercise dates a year.
  check_bounds(
      bounds_of(run_module_alone({.config = put_config(36, 0.2, 1), .stop = samples(1 << 17)})),
      4.47781111, 0.01);
  check_bounds(
      bounds_of(run_module_alone({.config = put_config(44, 0.4, 1), .stop = samples(1 << 17)})),
      3.94768648, 0.02);
}

TEST_CASE("Bermudan calls on the largest of two and three assets") {
  // Broadie and Glasserman (2004); Andersen and Broadie (2004). The values were recomputed by
  // convolution on grids.
  const auto config = [](int assets) {
    std::string text = "[market]\nrate = 0.05\n", names, matrix;
    for (int i = 0; i < assets; ++i) {
      text += fmt::format("[market.assets.A{}]\nspot = 100\ndividend = 0.1\nvolatility = 0.2\n", i);
      names += fmt::format("\"A{}\",", i);
      matrix += "[";
      for (int j = 0; j < assets; ++j) matrix += i == j ? "1.0," : "0.0,";
      matrix += "],";
    }
    return text + fmt::format(
                      "[market.correlation]\nassets = [{0}]\nmatrix = [{1}]\n[[trades]]\n"
                      "id = \"max\"\nproduct = \"best_of\"\nassets = [{0}]\ntype = \"call\"\n"
                      "strike = 100\nmaturity = 3\nexercise = \"bermudan\"\n"
                      "exercise_count = 9\n",
                      names, matrix);
  };
  check_bounds(bounds_of(run_module_alone({.config = config(2), .stop = samples(1 << 17)})),
               13.9017, 0.09);
  check_bounds(bounds_of(run_module_alone({.config = config(3), .stop = samples(1 << 17)})), 18.687,
               0.15);
}
