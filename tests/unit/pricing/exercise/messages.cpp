// Messages about exercise rights that a trade cannot have.

#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// Runs a trade on one asset with the given keys, after options for [pricing].
void run_trade(const std::string& keys, const std::string& options = "") {
  const std::string config = "[pricing]\n" + options +
                             "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\n"
                             "volatility = 0.2\n[[trades]]\nid = \"t\"\nasset = \"A\"\n"
                             "maturity = 1\n" +
                             keys;
  run_module_alone({.config = config, .stop = samples(4096)});
}

const std::string put_keys = "product = \"european\"\ntype = \"put\"\nstrike = 100\n";

void check_message(const std::string& keys, const char* message, const std::string& options = "") {
  CAPTURE(keys);
  CHECK_THROWS_WITH_AS(run_trade(keys, options), doctest::Contains(message), ConfigError);
}

}  // namespace

TEST_CASE("exercise rights that a trade cannot have are refused at their key") {
  check_message(put_keys + "exercise = \"bermudan\"",
                "either `exercise_dates` or `exercise_count`");
  check_message(put_keys + "exercise = \"bermudan\"\nexercise_dates = [0.5]\nexercise_count = 2",
                "either `exercise_dates` or `exercise_count`");
  check_message(put_keys + "exercise = \"bermudan\"\nexercise_dates = [0.5, 0.4]",
                "the exercise dates must increase, and 0.4 follows 0.5");
  check_message(put_keys + "exercise = \"bermudan\"\nexercise_dates = [1.5]",
                "the exercise date 1.5 is after the maturity 1");
  check_message(
      "product = \"asian\"\ntype = \"put\"\nstrike = 100\nfixing_count = 4\n"
      "exercise = \"bermudan\"\nexercise_dates = [0.0]",
      "the exercise date 0 is not one of the dates of the product's schedule");
  check_message(
      "product = \"variance_swap\"\nstrike = 0.04\nfixing_count = 4\n"
      "exercise = \"bermudan\"\nexercise_dates = [0.3]",
      "0.3 is not one of the dates of the product's schedule");
  check_message(
      "product = \"cliquet\"\ntype = \"call\"\nfixings = [0.25, 0.5, 1.0]\n"
      "exercise = \"bermudan\"\nexercise_dates = [0.25]",
      "the exercise date 0.25 is not after the start of the option");
  check_message(
      "product = \"asian\"\ntype = \"put\"\nstrike = 100\nfixing_count = 4\n"
      "exercise = \"bermudan\"\nexercise_dates = [0.3]",
      "0.3 is not one of the dates of the product's schedule");
  check_message(
      "product = \"barrier\"\ntype = \"put\"\nstrike = 100\nkind = \"down_and_out\"\n"
      "barrier = 80\nrebate = -1\nexercise = \"american\"",
      "early exercise of an option with a rebate below 0 is not supported");
  check_message(
      "product = \"window_barrier\"\ntype = \"put\"\nstrike = 100\nkind = "
      "\"down_and_out\"\nbarrier = 80\nrebate = -1\nfixing_count = 4\nexercise = \"american\"",
      "early exercise of an option with a rebate below 0 is not supported");
}

TEST_CASE("rights on rates that are refused say why") {
  const auto check_rate = [](const std::string& keys, const char* message) {
    const std::string config =
        "[market]\nrate = 0.03\n[market.rates.R]\nmean_reversion = 0.1\nvolatility = 0.01\n"
        "[[trades]]\nid = \"t\"\nrate = \"R\"\nend = 5.0\n" +
        keys;
    CAPTURE(keys);
    CHECK_THROWS_WITH_AS(run_module_alone({.config = config, .stop = samples(4096)}),
                         doctest::Contains(message), ConfigError);
  };
  const std::string bermudan = "exercise = \"bermudan\"\nexercise_dates = [1.0, 2.0]\n";
  const std::string bond = "product = \"bond\"\ncoupon = 0.03\n";
  check_rate("product = \"cap_floor\"\ntype = \"cap\"\nstrike = 0.03\n" + bermudan,
             "each period is an option of its own");
  check_rate("product = \"swap\"\ntype = \"payer\"\nstrike = 0.03\n" + bermudan,
             "a Bermudan swaption in the opposite swap");
  check_rate(bond + "exercised_by = \"issuer\"\n", "`exercised_by` needs early exercise");
  check_rate(bond + "exercise_prices = [1.01, 1.0, 1.0]\n" + bermudan,
             "3 prices for 2 exercise dates");
  check_rate(bond + "exercise_prices = [0.0]\n" + bermudan, "the prices must be above 0");
  check_rate(bond +
                 "exercise_prices = [1.0, 1.02]\nexercise = \"bermudan\"\n"
                 "exercise_dates = [1.0, 5.0]\n",
             "the price 1.02 is that of the bond's end");
  check_rate(
      "product = \"bond\"\nkind = \"floating\"\nexercise = \"bermudan\"\n"
      "exercise_dates = [1.5]\n",
      "1.5 is not the start of a coupon period");
  check_rate("product = \"bond\"\nkind = \"floating\"\nexercise = \"american\"\n",
             "at starts of coupon periods only");
}

TEST_CASE("rights of scripts that are refused") {
  const auto check_script = [](const std::string& keys, const char* message) {
    const std::string config =
        "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\nvolatility = 0.2\n"
        "[[trades]]\nid = \"t\"\nproduct = \"scripted\"\nassets = [\"A\"]\nmaturity = 1\n" +
        keys;
    CAPTURE(keys);
    CHECK_THROWS_WITH_AS(run_module_alone({.config = config, .stop = samples(4096)}),
                         doctest::Contains(message), ConfigError);
  };
  check_script("payoff = \"exercise spot\"\nexercise = \"american\"",
               "the statements `exercise` of a script say when it may be exercised");
  check_script("payoff = \"exercise spot > 100\"", "what exercise pays must be a number");
  check_script("payoff = \"let exercise = spot; pay exercise\"",
               "`exercise` is a word of the language");
}

TEST_CASE("a degree that gives too many functions is refused") {
  std::string config = "[pricing.exercise]\ndegree = 4\n[market]\nrate = 0.05\n";
  for (const char name : {'A', 'B', 'C', 'D', 'E'})
    config += std::string("[market.assets.") + name + "]\nspot = 100\nvolatility = 0.2\n";
  config +=
      "[market.correlation]\nassets = [\"A\", \"B\", \"C\", \"D\", \"E\"]\nmatrix = [[1.0, 0.0, "
      "0.0, 0.0, 0.0], "
      "[0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0], "
      "[0.0, 0.0, 0.0, 0.0, 1.0]]\n[[trades]]\nid = \"t\"\nproduct = \"best_of\"\n"
      "assets = [\"A\", \"B\", \"C\", \"D\", \"E\"]\ntype = \"call\"\nstrike = 100\nmaturity = 1\n"
      "exercise = \"american\"\n";
  CHECK_THROWS_WITH_AS(
      run_module_alone({.config = config, .stop = samples(4096)}),
      doctest::Contains(
          "pricing.exercise.degree = 4 gives trade `t`, with 5 variables, 126 functions"),
      ConfigError);
}
