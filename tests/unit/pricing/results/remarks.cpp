// Remarks on a price: unknown errors, biases that the samples show, time steps.

#include "src/modules/pricing/results/remarks.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string trade(const std::string& keys) {
  return "[[trades]]\nid = \"T\"\nasset = \"A\"\ntype = \"call\"\nmaturity = 1.0\n" + keys;
}

std::string asset(const std::string& keys) {
  return "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\n" + keys;
}

const std::string lognormal = asset("volatility = 0.2\n");
const std::string without_importance_sampling = "[pricing]\nimportance_sampling = false\n";

StopRule to_relative_error(double error, Index max_samples) {
  StopRule stop = samples(max_samples);
  stop.relative_error = error;
  return stop;
}

const std::string& remark_in_results(const ModuleResult& r) {
  return r.results.datasets.at("trades/remark").strings.at(0);
}

}  // namespace

TEST_CASE("if all samples pay the same, the error is unknown and the trade never converges") {
  const std::string cases[] = {
      "product = \"digital\"\nstrike = 45.0\n",
      "product = \"barrier\"\nkind = \"up_and_in\"\nbarrier = 250.0\nstrike = 100.0\n"
      "monitoring = \"continuous\"\nrebate = 1.0\n"};
  for (const std::string& keys : cases) {
    CAPTURE(keys);
    const ModuleResult r = run_module_alone(
        {.config = lognormal + trade(keys), .stop = to_relative_error(1e-3, 16384)});
    const Estimate& e = r.estimates.at(0);
    CHECK(e.mean == doctest::Approx(0.970446));
    CHECK(std::isnan(e.standard_error));
    CHECK_FALSE(e.converged);
    CHECK(contains(e.remark, "all 16384 samples paid the same: the error is unknown"));
    CHECK(contains(e.remark, "at most 3 in 16384 pay otherwise"));
    CHECK(remark_in_results(r) == e.remark);
    CHECK(r.report.rows[0][3] == "unknown");
    CHECK(contains(r.report.rows[0].back(), e.remark));
    CHECK(contains(r.report.footer.back(), "0 converged"));
  }
  const ModuleResult no_payments =
      run_module_alone({.config = without_importance_sampling + lognormal +
                                  trade("product = \"digital\"\nstrike = 450.0\n"),
                        .stop = to_relative_error(1e-3, 16384)});
  CHECK(contains(no_payments.estimates[0].remark, "none of 16384 samples paid"));
  CHECK_FALSE(no_payments.estimates[0].converged);
  // Sobol points are not independent, so that their number gives no bound.
  const ModuleResult sobol = run_module_alone(
      {.config = without_importance_sampling + "sampling = \"sobol\"\nreplicates = 8\n" +
                 lognormal + trade("product = \"digital\"\nstrike = 35.0\n"),
       .stop = samples(32768)});
  CHECK(contains(sobol.estimates[0].remark, "the error is unknown"));
  CHECK_FALSE(contains(sobol.estimates[0].remark, "at most"));
}

TEST_CASE(
    "a quantity of 0 and spots without volatility give certain prices, which converge at once") {
  const std::string call = "product = \"european\"\nstrike = 90.0\n";
  const StopRule stop = to_relative_error(1e-6, 1 << 20);
  const ModuleResult zero_quantity =
      run_module_alone({.config = lognormal + trade(call + "quantity = 0.0\n"), .stop = stop});
  CHECK(zero_quantity.estimates[0].mean == 0);
  CHECK(zero_quantity.estimates[0].standard_error == 0);
  CHECK(zero_quantity.estimates[0].converged);
  CHECK(zero_quantity.estimates[0].count == 4 * 4096);  // the first evaluation
  CHECK(zero_quantity.report.rows[0].back() == "certain: the quantity is 0");
  const ModuleResult no_volatility =
      run_module_alone({.config = asset("volatility = 0.0\n") + trade(call), .stop = stop});
  CHECK(no_volatility.estimates[0].mean == doctest::Approx(100 - 90 * std::exp(-0.03)));
  CHECK(no_volatility.estimates[0].converged);
  CHECK(remark_in_results(no_volatility) == "certain");
}

TEST_CASE(
    "a call in the money on all but few paths: the spot explains it, and the error is not 0") {
  const ModuleResult r =
      run_module_alone({.config = lognormal + trade("product = \"european\"\nstrike = 30.0\n"),
                        .stop = samples(16384)});
  const Estimate& e = r.estimates[0];
  CHECK(e.mean == doctest::Approx(100 - 30 * std::exp(-0.03)));
  // The spot's own standard deviation is 20.2.
  CHECK(e.standard_error == doctest::Approx(20.2 / 128).epsilon(0.05));
  CHECK(contains(e.remark, "the control variate explains all but few of 16384 samples"));
}

TEST_CASE("discretised trades have a remark, and the report states how to estimate the bias") {
  const std::string call = trade("product = \"european\"\nstrike = 100.0\n");
  const std::string barrier = trade(
      "product = \"barrier\"\nkind = \"up_and_out\"\nbarrier = 130.0\nstrike = 100.0\n"
      "monitoring = \"continuous\"\n");
  const std::string merton = asset(
      "model = \"merton\"\nvolatility = 0.2\njump_intensity = 0.5\njump_mean = -0.1\n"
      "jump_sd = 0.1\n");
  const std::string heston =
      asset("model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.04\nsigma = 0.5\nrho = -0.7\n");
  const std::string local = asset(
      "model = \"local_volatility\"\nlocal_times = [1.0]\nlocal_spots = [50.0, 200.0]\n"
      "local_volatility = [[0.2, 0.3]]\n");
  for (const std::string& config : {heston + call, local + call, merton + barrier}) {
    const ModuleResult r = run_module_alone(
        {.config = "[pricing]\nsteps_per_year = 50\n" + config, .stop = samples(4096)});
    CHECK(r.estimates[0].remark == "discretised at 50 steps a year");
    CHECK(remark_in_results(r) == "discretised at 50 steps a year");
    CHECK(contains(r.report.footer.at(0), "1 trade discretised at 50 steps a year"));
    CHECK(contains(r.report.footer.at(0), "pricing.steps_per_year = 100"));
  }
  for (const std::string& config : {merton + call, lognormal + call, lognormal + barrier}) {
    const ModuleResult r = run_module_alone({.config = config, .stop = samples(4096)});
    CHECK(r.estimates[0].remark == "");
    CHECK(r.report.footer.size() == 1);
  }
}

TEST_CASE("spots that are not a martingale: a warning names the asset and the likely cause") {
  const std::string call = trade("product = \"european\"\nstrike = 100.0\n");
  const auto warning_of = [](const std::string& config) {
    const ModuleResult r = run_module_alone({.config = config, .stop = samples(16384)});
    REQUIRE(r.warnings.size() >= 2);  // the last one after the run, the others at planning
    CHECK(contains(r.estimates[0].remark, "biased: its control variate is"));
    CHECK(contains(remark_in_results(r), "biased: its control variate is"));
    return r.warnings.back();
  };
  const std::string merton = asset(
      "model = \"merton\"\nvolatility = 0.2\njump_intensity = 1.0\njump_mean = 2.5\n"
      "jump_sd = 0.1\n");
  const std::string jumps = warning_of(merton + call);
  for (const char* part : {"`A`", "the discounted spot", "martingale", "jumps", "trade `T`"})
    CHECK(contains(jumps, part));
  // The control variate of a digital is a vanilla option.
  const std::string digital = warning_of(merton + trade("product = \"digital\"\nstrike = 150.0\n"));
  CHECK(contains(digital, "the samples' mean of a control variate"));
  const std::string steps =
      warning_of(asset("model = \"heston\"\nv0 = 0.04\nkappa = 1.0\ntheta = 0.04\nsigma = 10.0\n"
                       "rho = 0.9\n") +
                 call);
  for (const char* part : {"`A`", "steps are too long", "steps_per_year = 100: try 200"})
    CHECK(contains(steps, part));
  CHECK(run_module_alone({.config = lognormal + call, .stop = samples(65536)}).warnings.empty());
}

TEST_CASE("conditional sampling is unbiased where the variance does not affect the spot") {
  // With rho = 0 the conditional mean of the spot given the variance path equals its forward on
  // every path, so that rounding errors must not be used as a control.
  const HestonTerms terms{.v0 = 0.04,
                          .kappa = 2,
                          .theta = 0.04,
                          .sigma = 0.5,
                          .rho = 0,
                          .jump_intensity = 0,
                          .jump_mean = 0,
                          .jump_sd = 0,
                          .maturity = 1};
  const double value = heston(1, 100 * std::exp(0.03), 100, terms, std::exp(-0.03));
  const std::string market =
      asset("model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.04\nsigma = 0.5\nrho = 0.0\n");
  for (const char* precision : {"double", "float"}) {
    const ModuleResult r = run_module_alone(
        {.config = "[pricing]\nconditional = true\nprecision = \"" + std::string(precision) +
                   "\"\n" + market + trade("product = \"european\"\nstrike = 100.0\n"),
         .stop = samples(16384)});
    CAPTURE(r.estimates[0].mean);
    CHECK(std::fabs(r.estimates[0].mean - value) < 4 * r.estimates[0].standard_error);
    CHECK(r.estimates[0].standard_error < 0.05);
  }
}

TEST_CASE("a target that the run cannot meet: the remark states the reason and a remedy") {
  const std::string call = "product = \"european\"\nstrike = 100.0\n";
  const ModuleResult unreachable =
      run_module_alone({.config = lognormal + trade(call), .stop = to_relative_error(1e-6, 16384)});
  CHECK(contains(unreachable.estimates[0].remark, "its error target needs about"));
  CHECK(contains(unreachable.estimates[0].remark, "this run makes at most 16384"));
  CHECK(contains(unreachable.estimates[0].remark, "stop.absolute_error"));
  CHECK(remark_in_results(unreachable) == unreachable.estimates[0].remark);
  CHECK(contains(unreachable.report.rows[0].back(), "its error target needs about"));
  // No remark is needed if the target is met or nearly met, or without targets.
  for (const StopRule& stop : {to_relative_error(0.02, 16384), samples(16384)})
    CHECK(run_module_alone({.config = lognormal + trade(call), .stop = stop}).estimates[0].remark ==
          "");
  const ModuleResult no_payments =
      run_module_alone({.config = without_importance_sampling + lognormal +
                                  trade("product = \"digital\"\nstrike = 450.0\n"),
                        .stop = to_relative_error(1e-3, 16384)});
  CHECK(contains(no_payments.estimates[0].remark, "none of 16384 samples paid"));
  CHECK(contains(no_payments.estimates[0].remark, "stop.relative_error has no meaning"));
  const ModuleResult tiny =
      run_module_alone({.config = lognormal + trade(call + "quantity = 1e-40\n"),
                        .stop = to_relative_error(1e-6, 16384)});
  CHECK(contains(tiny.estimates[0].remark, "the price is below 1e-30"));
}

TEST_CASE("number of samples that an error target needs") {
  PriceEstimate e;
  e.price = 2;
  e.standard_error = 0.1;
  e.samples = 1000;
  StopRule stop;
  CHECK(std::isnan(samples_to_targets(e, stop)));
  stop.absolute_error = 0.01;
  CHECK(samples_to_targets(e, stop) == doctest::Approx(1e5));
  stop.relative_error = 0.001;
  CHECK(samples_to_targets(e, stop) == doctest::Approx(2.5e6));
  e.price = 0;
  CHECK(std::isinf(samples_to_targets(e, stop)));
}

TEST_CASE("a shortened table states the number of omitted rows") {
  std::string config = lognormal;
  for (int i = 0; i < 45; ++i) {
    std::string one = trade("product = \"european\"\nstrike = 100.0\n");
    one.replace(one.find("\"T\""), 3, "\"T" + std::to_string(i) + "\"");
    config += one;
  }
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(4096)});
  CHECK(r.report.rows.size() == 40);
  CHECK(r.report.rows_left_out == 5);
}
