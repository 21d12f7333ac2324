// The values of trades in closed form (PayoffFunctions::value) agree with their simulated prices.

#include <cmath>
#include <string_view>

#include <doctest/doctest.h>

#include "src/modules/pricing/risk/revaluation.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string market = R"(
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
dividend = 0.01
volatility = 0.2
[market.assets.B]
spot = 90.0
volatility = { times = [0.5, 1.0], values = [0.2, 0.25] }
[market.assets.M]
model = "merton"
spot = 100.0
volatility = 0.2
jump_intensity = 0.5
jump_mean = -0.1
jump_sd = 0.2
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
)";

struct Case {
  const char *name, *terms;
};
const Case cases[] = {
    {"European call", "product = \"european\"\nasset = \"B\"\ntype = \"call\"\nstrike = 95.0"},
    {"European put, jumps", "product = \"european\"\nasset = \"M\"\ntype = \"put\"\nstrike = 95.0"},
    {"forward", "product = \"forward\"\nasset = \"A\"\nstrike = 90.0"},
    {"cash digital",
     "product = \"digital\"\nasset = \"B\"\ntype = \"put\"\nstrike = 95.0\ncash = 7.0"},
    {"asset digital",
     "product = \"digital\"\nasset = \"A\"\ntype = \"call\"\nstrike = 95.0\npays = \"asset\""},
    {"exchange", "product = \"exchange\"\nassets = [\"A\", \"B\"]"},
    {"forward start",
     "product = \"forward_start\"\nasset = \"B\"\ntype = \"put\"\nstart = 0.3\nmoneyness = 0.95"},
    {"geometric Asian",
     "product = \"asian\"\nasset = \"B\"\ntype = \"call\"\nstrike = 92.0\naverage = \"geometric\"\n"
     "fixing_count = 4\npast_fixings = [91.0]"},
    {"geometric Asian strike",
     "product = \"asian\"\nasset = \"B\"\ntype = \"put\"\naverage = \"geometric\"\n"
     "average_of = \"strike\"\nfixing_count = 4"},
    {"best of",
     "product = \"best_of\"\nassets = [\"A\", \"B\"]\ntype = \"call\"\nstrike = 100.0\n"
     "weights = [1.0, 1.1]"},
    {"worst of", "product = \"worst_of\"\nassets = [\"A\", \"B\"]\ntype = \"put\"\nstrike = 95.0"},
    {"down-and-out call",
     "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\nstrike = 95.0\nkind = "
     "\"down_and_out\"\nbarrier = 85.0\nrebate = 3.0\nmonitoring = \"continuous\""},
    {"up-and-in put",
     "product = \"barrier\"\nasset = \"A\"\ntype = \"put\"\nstrike = 105.0\nkind = "
     "\"up_and_in\"\nbarrier = 115.0\nmonitoring = \"continuous\""},
    {"knocked in",
     "product = \"barrier\"\nasset = \"A\"\ntype = \"put\"\nstrike = 105.0\nkind = "
     "\"up_and_in\"\nbarrier = 115.0\ntouched = true\nmonitoring = \"continuous\""},
};

}  // namespace

TEST_CASE("closed forms of trades agree with simulation") {
  std::string trades;
  for (const Case& c : cases)
    trades += "[[trades]]\nid = \"" + std::string(c.name) + "\"\nmaturity = 0.8\n" + c.terms + "\n";
  const PricingConfig config = read(market + trades);
  for (const std::uint8_t is_closed : closed_form_flags(config)) CHECK(is_closed == 1);
  const Revaluation revaluation(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  const ModuleResult simulated =
      run_module_alone({.config = market + trades, .stop = samples(1 << 18)});
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    CAPTURE(cases[i].name);
    const Estimate& e = simulated.estimates[i];
    // The spot is a control variate that leaves nothing of a forward to chance.
    const bool is_forward = std::string_view(cases[i].name) == "forward";
    CHECK((e.standard_error > 1e-9) == !is_forward);
    const double tolerance = is_forward ? 1e-12 * e.mean : 4 * e.standard_error;
    CHECK(std::fabs(revaluation.today()[i].value - e.mean) < tolerance);
  }
}

TEST_CASE("terms and models without a closed form are simulated") {
  const PricingConfig config = read(market + R"(
[[trades]]
id = "digital, jumps"
product = "digital"
asset = "M"
type = "call"
strike = 100.0
maturity = 0.8
[[trades]]
id = "barrier, term structure"
product = "barrier"
asset = "B"
type = "call"
strike = 95.0
kind = "down_and_out"
barrier = 85.0
monitoring = "continuous"
maturity = 0.8
[[trades]]
id = "early"
product = "european"
asset = "A"
type = "put"
strike = 100.0
maturity = 0.8
exercise = "bermudan"
exercise_count = 3
)");
  for (const std::uint8_t is_closed : closed_form_flags(config)) CHECK(is_closed == 0);
}
