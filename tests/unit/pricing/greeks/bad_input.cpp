// Messages about the keys of Greeks.

#include <doctest/doctest.h>

#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

std::string error_with(const std::string& options) {
  return error_of("[pricing]\n" + options + one_asset +
                  trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100));
}

}  // namespace

TEST_CASE("Greeks: bad keys are refused with their name and a suggestion") {
  CHECK(error_with("greeks = [\"delta\", \"vega\"]\n").empty());
  const std::string unknown = error_with("greeks = [\"delta\", \"vegas\"]\n");
  CHECK(contains(unknown, "`vegas` is no Greek"));
  CHECK(contains(unknown, "test.toml:2"));
  CHECK(contains(unknown, "did you mean `vega`?"));
  CHECK(contains(error_with("greeks = [\"delta\", \"delta\"]\n"), "`delta` appears twice"));
  CHECK(contains(error_with("greeks_method = \"adjoint\"\n"), "greeks_method"));
  CHECK(contains(error_with("bumps = { spot = 2.0 }\n"), "spot"));
  CHECK(contains(error_with("bumps = { vol = 0.01 }\n"), "unknown key `vol`"));
}
