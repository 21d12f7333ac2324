// Regressions of exposures close to a maturity, where values bend.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/exposures/piecewise_linear.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string four_assets = R"(
[pricing]
steps_per_year = 10
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.25
[market.assets.C]
spot = 100.0
dividend = 0.02
volatility = 0.3
[market.assets.H]
model = "heston"
spot = 100.0
dividend = 0.01
v0 = 0.04
kappa = 1.5
theta = 0.05
sigma = 0.6
rho = -0.6
[market.assets.B]
model = "bates"
spot = 100.0
v0 = 0.04
kappa = 1.5
theta = 0.05
sigma = 0.4
rho = -0.5
jump_intensity = 0.4
jump_mean = -0.1
jump_sd = 0.15
[market.correlation]
assets = ["A", "C", "H", "B"]
matrix = [[1.0, 0.5, 0.3, 0.3], [0.5, 1.0, 0.3, 0.3], [0.3, 0.3, 1.0, 0.0], [0.3, 0.3, 0.0, 1.0]]
)";

/// Netting sets number 0, 1, … of trades that mature after two years.
class Book {
 public:
  void add_set(const std::vector<std::string>& trades) {
    const std::string set = std::to_string(sets_++);
    text_sets_ += "[[exposure.netting_sets]]\nname = \"" + set + "\"\n";
    for (const std::string& trade : trades)
      text_trades_ += "[[trades]]\nid = \"" + std::to_string(trades_++) + "\"\nnetting_set = \"" +
                      set + "\"\nmaturity = 2.0\n" + trade + "\n";
  }
  ModuleResult run(const std::string& times) const {
    return run_module_alone(exposure_run("[exposure]\ntimes = " + times + "\n" + text_sets_ +
                                         four_assets + text_trades_));
  }

 private:
  int sets_ = 0, trades_ = 0;
  std::string text_sets_, text_trades_;
};

}  // namespace

TEST_CASE("bought options: discounted exposures just before the maturity are those at it") {
  // The exposures at the maturity are the payments on the same paths, so that little noise is left.
  const std::vector<std::string> trades = {
      "product = \"european\"\nasset = \"H\"\ntype = \"call\"\nstrike = 105.0",
      "product = \"european\"\nasset = \"B\"\ntype = \"call\"\nstrike = 105.0",
      "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\nfixing_count = 8",
      "product = \"barrier\"\nasset = \"H\"\ntype = \"call\"\nstrike = 100.0\n"
      "kind = \"down_and_out\"\nbarrier = 85.0\nmonitoring = \"discrete\"\nfixings = [1.0, 2.0]",
      "product = \"basket\"\nassets = [\"A\", \"C\"]\nweights = [0.6, 0.4]\ntype = \"put\"\n"
      "strike = 95.0",
      "product = \"best_of\"\nassets = [\"A\", \"C\"]\ntype = \"call\"\nstrike = 110.0",
      "product = \"digital\"\nasset = \"H\"\ntype = \"put\"\nstrike = 90.0\ncash = 10.0",
      "product = \"lookback\"\nasset = \"A\"\ntype = \"call\"\nkind = \"fixed\"\nstrike = 125.0\n"
      "monitoring = \"discrete\"\nfixing_count = 8",
      "product = \"scripted\"\nassets = [\"A\", \"C\"]\n"
      "payoff = \"pay max(max(spot(1), spot(2)) - 110, 0) at maturity\"",
      "product = \"phoenix\"\nassets = [\"H\"]\nfixing_count = 8\nnotional = 100.0\ncoupon = 0.02\n"
      "coupon_barrier = 0.9\ncall = [1.02]\nknock_in = 0.8",
      "product = \"phoenix\"\nassets = [\"A\", \"C\"]\nfixing_count = 24\nnotional = 100.0\n"
      "coupon = 0.01\ncoupon_barrier = 0.8\ncall = [1.05]\nknock_in = 0.7",
      "product = \"european\"\nasset = \"H\"\ntype = \"put\"\nstrike = 105.0\n"
      "exercise = \"bermudan\"\nexercise_count = 50"};
  Book book;
  for (const std::string& trade : trades) book.add_set({trade});
  const ModuleResult r = book.run("[1.97, 2.0]");
  const std::vector<double> exposures = column_of(r, "exposures/discounted_positive");
  for (std::size_t set = 0; set < trades.size(); ++set) {
    CAPTURE(trades[set]);
    const double before = exposures[3 * set + 1], paid = exposures[3 * set + 2];
    // What is held of an option that may be exercised is out of the money, and varies more.
    const bool is_early = trades[set].find("exercise") != std::string::npos;
    CHECK(std::fabs(before / paid - 1) < (is_early ? 0.02 : 0.007));
    CHECK(column_of(r, "exposures/discounted_negative")[3 * set + 1] == 0);
  }
}

TEST_CASE("netting: a call less a put under Heston's model has the exposures of a forward") {
  const std::string terms = "asset = \"H\"\nstrike = 105.0\n";
  Book book;
  book.add_set({"product = \"european\"\ntype = \"call\"\n" + terms,
                "product = \"european\"\ntype = \"put\"\nquantity = -1.0\n" + terms});
  book.add_set({"product = \"forward\"\n" + terms});
  const std::size_t dates = 3;  // with today
  const ModuleResult r = book.run("[1.0, 1.95]");
  for (const char* column : {"exposures/discounted_positive", "exposures/discounted_negative"}) {
    const std::vector<double> exposures = column_of(r, column);
    for (std::size_t d = 1; d < dates; ++d) {
      CAPTURE(column);
      CAPTURE(d);
      CHECK(std::fabs(exposures[d] / exposures[dates + d] - 1) < 0.004);
    }
  }
}

TEST_CASE("piecewise linear fits: a function that bends at knots is found, with any factor") {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> x, z, y, unit_y;
  for (int i = 0; i < 5000; ++i) {
    x.push_back(normal(random));
    z.push_back(1 + normal(random));
  }
  const std::vector<double> knots = knots_for(x);
  CHECK(knots.size() == 39);
  const PlacesBetweenKnots places(knots, x);
  // It bends at the knots 0, 4, 8, … only.
  const double bends[] = {0, 1, -2, 3, 0.5, 2, 7, -1, 4, 5, 1};
  std::vector<double> at_knots;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const std::size_t k = i / 4, first = 4 * k, next = std::min<std::size_t>(first + 4, 38);
    const double w = i == 38 ? 0 : (knots[i] - knots[first]) / (knots[next] - knots[first]);
    at_knots.push_back(i == 38 ? bends[10] : (1 - w) * bends[k] + w * bends[k + 1]);
  }
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    unit_y.push_back(places.interpolate(at_knots, i));
    y.push_back(z[i] * unit_y.back());
    squares += y.back() * y.back();
  }
  for (const std::size_t stride : {1, 2, 4}) {
    const PiecewiseLinearSums::Fit fit = PiecewiseLinearSums(places, z, y).fit(stride);
    const PiecewiseLinearSums::Fit of_units = PiecewiseLinearSums(places, unit_y).fit(stride);
    CHECK(fit.parameters == (38 + stride - 1) / stride + 1);
    CHECK(fit.gain == doctest::Approx(squares).epsilon(1e-9));
    for (std::size_t i = 0; i < knots.size(); ++i) {
      CHECK(fit.at_knots[i] == doctest::Approx(at_knots[i]).epsilon(1e-6));
      CHECK(of_units.at_knots[i] == doctest::Approx(at_knots[i]).epsilon(1e-6));
    }
  }
  CHECK(PiecewiseLinearSums(places, z, y).fit(8).gain < 0.999 * squares);
  // Values beyond the knots have those of the nearest one; of a constant there is one knot.
  const PlacesBetweenKnots beyond(knots, {-100.0, 100.0});
  CHECK(beyond.interpolate(at_knots, 0) == bends[0]);
  CHECK(beyond.interpolate(at_knots, 1) == bends[10]);
  const PlacesBetweenKnots constant(knots_for({3.0, 3.0}), {3.0, 3.0});
  const PiecewiseLinearSums::Fit mean = PiecewiseLinearSums(constant, {1.0, 2.0}).fit(8);
  CHECK(mean.at_knots == std::vector<double>{1.5});
  CHECK(mean.parameters == 1);
}
