// Messages about configurations of the module exposure.

#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

const std::string set = "[[exposure.netting_sets]]\nname = \"set\"\n";
const std::string call = R"(
[[trades]]
id = "a"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
)";

void expect_message(const std::string& part, const std::string& exposure,
                    const std::string& trades = call) {
  std::string text = "no error";
  try {
    run_module_alone(exposure_run("[exposure]\n" + exposure + one_asset + trades, 4096));
  } catch (const InputError& error) {
    text = error.what();
  }
  CAPTURE(text);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("exposure: a trade's target_error is refused") {
  expect_message("target_error: the module exposure estimates no prices", set,
                 call + "target_error = 0.1\n");
}

TEST_CASE("exposure: invalid keys are refused with the reason") {
  expect_message("there is no netting set", "");
  expect_message("the name `set` appears twice", set + set);
  expect_message("there is no [market.credit.C]", set + "credit = \"C\"\n");
  expect_message("5000 is not a multiple of 4096", "paths = 5000\n" + set);
  expect_message("the times must increase", "times = [1.0, 0.5]\n" + set);
  expect_message(
      "dates until the last maturity", "dates_per_year = 365\n" + set,
      call + call.substr(0, call.find("id")) + "id = \"b\"" +
          call.substr(call.find("\nproduct"), call.find("maturity") - call.find("\nproduct")) +
          "maturity = 50.0\n");
  expect_message("there is no asset `X`",
                 set +
                     "[exposure.netting_sets.wrong_way]\nasset = \"X\"\ncorrelation = 0.1\n"
                     "volatility = 0.5\n");
  const std::string script =
      "[[trades]]\nid = \"a\"\nproduct = \"scripted\"\nassets = [\"A\"]\nmaturity = 1.0\n";
  expect_message(
      "a right to exercise at the maturity with payments that have another lag than payment_lag",
      set, script + "fixing_count = 2\npayoff = \"exercise 1; pay spot after 0.5\"\n");
  expect_message("a right to exercise today with payments after their fixings", set,
                 script + "fixings = [0.0, 1.0]\npayment_lag = 0.1\npayoff = \"exercise spot\"\n");
  expect_message("wrong-way risk needs a credit",
                 set +
                     "[exposure.netting_sets.wrong_way]\nasset = \"A\"\ncorrelation = 0.1\n"
                     "volatility = 0.5\n");
}

TEST_CASE("exposure: trades must be in netting sets and of supported kinds") {
  const std::string other = "[[exposure.netting_sets]]\nname = \"other\"\n";
  expect_message("trade `a` names no netting_set", set + other);
  expect_message("there is no netting set `sett`", set + other, call + "netting_set = \"sett\"\n");
}
