// The value of a portfolio: its error, its target, and trades that rest.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/math/scalar.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/statistics/batch_means.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

constexpr double strikes[] = {80, 90, 100, 110, 120, 130, 95, 105};
constexpr double quantities[] = {1, -2, 40, 5, 0.5, 3, -30, 1};

/// Calls of one year on two assets, the last two on the second one.
std::string calls(double target, const std::string& options = "") {
  std::string config = "[pricing]\ntotal_error = " + std::to_string(target) + "\n" + options +
                       "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\nvolatility = "
                       "0.2\n[market.assets.B]\nspot = 100.0\nvolatility = 0.4\n"
                       "[market.correlation]\nassets = [\"A\", \"B\"]\n"
                       "matrix = [[1.0, 0.5], [0.5, 1.0]]\n";
  for (std::size_t i = 0; i < std::size(strikes); ++i)
    config += trade_table("c" + std::to_string(i),
                          "product = \"european\"\ntype = \"call\"\nmaturity = 1.0\nasset = \"" +
                              std::string(i < 6 ? "A" : "B") +
                              "\"\nquantity = " + std::to_string(quantities[i]) +
                              "\nstrike = " + std::to_string(strikes[i]) + "\n");
  return config;
}

double exact_value() {
  double sum = 0;
  for (std::size_t i = 0; i < std::size(strikes); ++i)
    sum += quantities[i] * black(1, 100 * exp(0.03), strikes[i], i < 6 ? 0.04 : 0.16, exp(-0.03));
  return sum;
}

const Estimate& total_of(const ModuleResult& r) { return find(r, "total value"); }

Index most_samples(const ModuleResult& r) {
  Index most = 0;
  for (const Estimate& e : r.estimates) most = std::max(most, e.count);
  return most;
}

}  // namespace

TEST_CASE("batches do not depend on how their blocks are cut") {
  BatchMeans whole;
  for (Index b = 0; b < 1000; ++b) whole.push({0, b, 1.0 / static_cast<double>(b + 1), 0});
  CHECK(whole.blocks() == 1000);
  CHECK(static_cast<Index>(whole.batches().size()) <= batch_count(1000));
  for (const Index cut : {1, 7, 64}) {
    BatchMeans merged;
    for (Index first = 0; first < 1000; first += cut) {
      BatchMeans part;
      for (Index b = first; b < std::min<Index>(first + cut, 1000); ++b)
        part.push({0, b, 1.0 / static_cast<double>(b + 1), 0});
      merged.append(part);
    }
    REQUIRE(merged.batches().size() == whole.batches().size());
    for (std::size_t i = 0; i < whole.batches().size(); ++i) {
      CHECK(merged.batches()[i].first_block() == whole.batches()[i].first_block());
      CHECK(merged.batches()[i].mean_x == whole.batches()[i].mean_x);
    }
  }
}

TEST_CASE("the error of a portfolio's value is that of its scatter over seeds") {
  const double exact = exact_value();
  for (const char* options :
       {"", "control_variates = \"none\"\n", "sampling = \"sobol\"\nreplicates = 32\n"}) {
    CAPTURE(options);
    const bool is_sobol = contains(options, "sobol");
    const bool is_plain = contains(options, "none");
    double chi_square = 0;
    Index resting = 0;
    constexpr int runs = 40;
    for (int seed = 1; seed <= runs; ++seed) {
      const ModuleResult r = run_module_alone({.config = calls(is_sobol   ? 0.05
                                                               : is_plain ? 1
                                                                          : 0.5,
                                                               options),
                                               .stop = samples(is_sobol ? 1 << 18 : 1 << 20),
                                               .seed = static_cast<std::uint64_t>(seed)});
      const Estimate& total = total_of(r);
      CHECK(total.converged);
      CHECK(total.count == most_samples(r));
      chi_square += std::pow((total.mean - exact) / total.standard_error, 2);
      for (const Estimate& e : r.estimates) resting += e.count < total.count ? 1 : 0;
    }
    CHECK(chi_square > 14.7);  // 40 degrees of freedom: 1e-4 quantiles 14.7 and 82
    CHECK(chi_square < 82);
    CHECK((resting == 0) == is_sobol);
  }
}

TEST_CASE("a total is not met while errors of trades are unknown") {
  // No path of a few thousand pays: the error of the trade is unknown.
  const std::string config =
      "[pricing]\ntotal_error = 10.0\nimportance_sampling = false\n" + one_asset +
      trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100);
  const std::string far = trade_table(
      "far",
      "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 1000.0\nmaturity = 1.0\n");
  CHECK(total_of(run_module_alone({.config = config, .stop = samples(1 << 16)})).converged);
  const ModuleResult r = run_module_alone({.config = config + far, .stop = samples(1 << 16)});
  CHECK(std::isnan(find(r, "far").standard_error));
  CHECK(!total_of(r).converged);
  const auto is_missed = [](const std::string& line) {
    return contains(line, "total value") && contains(line, "target 10 missed");
  };
  CHECK(std::any_of(r.report.footer.begin(), r.report.footer.end(), is_missed));
}

TEST_CASE("widened errors of few contributing samples add up in the total") {
  // About 20 to 60 of the samples pay.
  const auto rare = [](const std::string& id) {
    return trade_table(id,
                       "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 190.0\n"
                       "maturity = 1.0\n");
  };
  const std::string head =
      "[pricing]\ntotal_error = 1e-9\ncontrol_variates = \"none\"\nimportance_sampling = false\n" +
      one_asset;
  const StopRule stop = samples(1 << 16);
  const ModuleResult one = run_module_alone({.config = head + rare("a"), .stop = stop});
  const double error = find(one, "a").standard_error;
  CHECK(find(one, "a").count < 100000);
  CHECK(total_of(one).standard_error >= error * (1 - 1e-12));
  // The same trade twice: twice the error, not the square root of two.
  const ModuleResult two = run_module_alone({.config = head + rare("a") + rare("b"), .stop = stop});
  CHECK(total_of(two).standard_error == doctest::Approx(2 * total_of(one).standard_error));
}

TEST_CASE("too few scramblings for the error of a total are refused") {
  const std::string config = calls(1, "sampling = \"sobol\"\nreplicates = 8\n");
  std::string message;
  try {
    run_module_alone({.config = config, .stop = samples(1 << 16)});
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK(contains(message, "total over 8 scramblings"));
}

TEST_CASE("an update between evaluations does not decide about the target of the total") {
  // The target is met after the first evaluation that may judge it, and the run stops before.
  const ModuleResult r = run_module_alone(
      {.config = calls(1000), .stop = samples(1 << 18), .stop_at = 11, .update = true});
  CHECK(total_of(r).standard_error < 1000);
  CHECK(!total_of(r).converged);
}

TEST_CASE("opposite positions on the same paths have no error") {
  const std::string call = "product = \"european\"\nasset = \"A\"\n" + call_100;
  const ModuleResult r = run_module_alone({.config = "[pricing]\ntotal_error = 1e-9\n" + one_asset +
                                                     trade_table("long", call) +
                                                     trade_table("short", "quantity = -1\n" + call),
                                           .stop = samples(1 << 16)});
  CHECK(total_of(r).mean == 0);
  CHECK(total_of(r).standard_error == 0);
  CHECK(total_of(r).converged);
  CHECK(find(r, "long").standard_error > 0.01);
}

TEST_CASE("a trade has a target of its own, and rests once it has met that and the total's") {
  const std::string call = "product = \"european\"\nasset = \"A\"\n" + call_100;
  const auto config = [&](const char* options) {
    return options + one_asset + trade_table("fine", "target_error = 0.01\n" + call) +
           trade_table("coarse", "target_error = 0.05\n" + call);
  };
  const ModuleResult r = run_module_alone({.config = config(""), .stop = samples(1 << 22)});
  CHECK(find(r, "fine").converged);
  CHECK(find(r, "fine").standard_error <= 0.01);
  CHECK(find(r, "coarse").standard_error <= 0.05);
  CHECK(find(r, "coarse").count < find(r, "fine").count / 8);
  const ModuleResult both = run_module_alone(
      {.config = config("[pricing]\ntotal_error = 1.0\n"), .stop = samples(1 << 22)});
  CHECK(find(both, "fine").standard_error <= 0.01);
  CHECK(find(both, "coarse").count < find(both, "fine").count);
  CHECK(total_of(both).converged);
}

TEST_CASE("trades rest at the same points on any ranks and threads, and after a resume") {
  const StopRule stop = samples(1 << 18);
  const std::string config = calls(0.7);
  const ModuleResult whole = run_module_alone({.config = config, .stop = stop});
  CHECK(find(whole, "c4").count < total_of(whole).count);
  for (const int ranks : {2, 7}) {
    const ModuleResult r = run_module_alone(
        {.config = config, .ranks = ranks, .threads = 2, .slice = 3, .stop = stop});
    CHECK(r.digest == whole.digest);
    CHECK(r.results == whole.results);
    CHECK(r.state == whole.state);
  }
  for (const Index at : {3, 12, 17, 24}) {
    CAPTURE(at);
    const ModuleResult part =
        run_module_alone({.config = config, .ranks = 3, .slice = 2, .stop = stop, .stop_at = at});
    const ModuleResult r = run_module_alone(
        {.config = config, .ranks = 2, .stop = stop, .resume = &part.state, .resume_at = at});
    CHECK(r.results == whole.results);
    CHECK(r.state == whole.state);
  }
}
