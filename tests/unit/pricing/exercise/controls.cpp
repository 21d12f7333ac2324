// Control variates change the error of a price with early exercise, not the price.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

const std::string market =
    "[pricing.exercise]\npaths = 16384\nouter_paths = 128\ninner_paths = 64\n[market]\nrate = "
    "0.05\n"
    "[market.assets.A]\nspot = 100\nvolatility = 0.2\n[[trades]]\nid = \"t\"\nasset = \"A\"\n"
    "maturity = 1\nexercise = \"american\"\n";

Estimate price(const std::string& trade, const char* controls) {
  return run_module_alone({.config = std::string("[pricing]\ncontrol_variates = \"") + controls +
                                     "\"\n" + market + trade,
                           .stop = samples(1 << 15)})
      .estimates.front();
}

void check_same_price(const std::string& trade) {
  CAPTURE(trade);
  const Estimate none = price(trade, "none");
  for (const char* controls : {"auto", "spot"}) {
    CAPTURE(controls);
    const Estimate e = price(trade, controls);
    CHECK(e.standard_error < 0.9 * none.standard_error);
    CHECK(std::fabs(e.mean - none.mean) <= 4 * none.standard_error);
  }
}

}  // namespace

TEST_CASE("prices with early exercise do not depend on control variates") {
  check_same_price("product = \"european\"\ntype = \"put\"\nstrike = 105\n");
  // The maturity follows the last fixing.
  check_same_price("product = \"asian\"\ntype = \"call\"\nstrike = 95\nfixings = [0.25, 0.5]\n");
}

TEST_CASE("Greeks of digitals and barriers with early exercise are bumped") {
  for (const char* trade : {"product = \"digital\"\ntype = \"put\"\nstrike = 95\n",
                            "product = \"barrier\"\ntype = \"put\"\nstrike = 105\n"
                            "kind = \"down_and_out\"\nbarrier = 80\n"}) {
    CAPTURE(trade);
    const ModuleResult run = run_module_alone(
        {.config = "[pricing]\ngreeks = [\"delta\"]\n" + market + trade, .stop = samples(1 << 15)});
    const GreekValue delta = greeks_of(run).at("t delta A");
    CHECK(delta.method == "bump");
    // A difference of prices at spots 2 % apart, each with a policy and paths of its own.
    const auto at = [&](const char* spot) {
      std::string config = market + trade;
      config.replace(config.find("spot = 100"), 10, spot);
      return run_module_alone({.config = config, .stop = samples(1 << 15)}).estimates.front();
    };
    const Estimate low = at("spot = 99 "), high = at("spot = 101");
    const double error = std::hypot(low.standard_error, high.standard_error) / 2;
    CHECK(std::fabs(delta.value - (high.mean - low.mean) / 2) <= 4 * (delta.error + error));
  }
}
