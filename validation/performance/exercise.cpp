// benchmark_exercise [--rounds N] [--level base|avx2|avx512]
//
// Early exercise: gsim and QuantLib's own least-squares Monte Carlo engines alternately, each on
// one thread with the same numbers of paths and dates. gsim's time contains its regressions on
// 32,768 paths (QuantLib: 2048 by default, and 32,768 here, too) and no upper bound, which QuantLib
// does not compute. Prints medians, ratios, and the ratio of times to the same standard error.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <ql/exercise.hpp>
#include <ql/instruments/basketoption.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/basket/mcamericanbasketengine.hpp>
#include <ql/pricingengines/vanilla/mcamericanengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/processes/stochasticprocessarray.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>
#include <ql/version.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/pricing_module.hpp"

namespace gsim::benchmark {
namespace {

namespace ql = QuantLib;

constexpr long paths = 98304, regression_paths = 32768;  // whole blocks of gsim

struct Result {
  double seconds = 0, price = 0, error = 0;
};

struct Problem {
  std::string name;
  std::string config;  ///< gsim's tables [market] and [[trades]]
  std::function<Result()> quantlib;
};

Result run_gsim(const std::string& tables, Target level) {
  const auto start = std::chrono::steady_clock::now();
  const pricing::PayoffKinds payoffs = pricing::builtin_payoffs();
  const pricing::PathModelKinds models = pricing::builtin_path_models();
  pricing::PricingModule module({payoffs.begin(), payoffs.end()}, {models.begin(), models.end()});
  ConfigFile file =
      ConfigFile::parse(fmt::format("[pricing.exercise]\nupper_bound = false\npaths = {}\n{}",
                                    regression_paths, tables),
                        "benchmark.toml");
  configure(module, file);
  Context context{Communicator::self(), Executor::host(1, level)};
  context.seed = 20261128;
  context.stop.max_samples = paths;
  const WorkPlan plan = module.plan(context);
  module.prepare();
  module.advance(0, plan.total_units);
  module.update_estimates();
  const Estimate price = module.estimates().front();
  const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
  return {t.count(), price.mean, price.standard_error};
}

struct FlatMarket {
  ql::Date today{2, ql::January, 2023};
  ql::DayCounter day_count = ql::Actual365Fixed();

  ql::Handle<ql::YieldTermStructure> curve(double rate) const {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, day_count));
  }
  ql::ext::shared_ptr<ql::GeneralizedBlackScholesProcess> process(double spot, double dividend,
                                                                  double rate, double vol) const {
    return ql::ext::make_shared<ql::BlackScholesMertonProcess>(
        ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(spot)), curve(dividend),
        curve(rate),
        ql::Handle<ql::BlackVolTermStructure>(
            ql::ext::make_shared<ql::BlackConstantVol>(today, ql::NullCalendar(), vol, day_count)));
  }
};

template <class Instrument>
Result measure(Instrument& instrument, const ql::ext::shared_ptr<ql::PricingEngine>& engine) {
  instrument.setPricingEngine(engine);
  const auto start = std::chrono::steady_clock::now();
  const double price = instrument.NPV();
  const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
  return {t.count(), price, instrument.errorEstimate()};
}

// The put of Longstaff and Schwartz 2001, table 1, row 1.
Problem american_put() {
  return {"American put, 50 dates",
          "[market]\nrate = 0.06\n[market.assets.A]\nspot = 36\nvolatility = 0.2\n[[trades]]\n"
          "id = \"put\"\nproduct = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 40\n"
          "maturity = 1\nexercise = \"bermudan\"\nexercise_count = 50\n",
          [] {
            const FlatMarket m;
            ql::Settings::instance().evaluationDate() = m.today;
            ql::VanillaOption option(
                ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Put, 40.0),
                ql::ext::make_shared<ql::AmericanExercise>(m.today, m.today + 365));
            return measure(option,
                           ql::MakeMCAmericanEngine<ql::PseudoRandom>(m.process(36, 0, 0.06, 0.2))
                               .withSteps(50)
                               .withSamples(paths)
                               .withCalibrationSamples(regression_paths)
                               .withPolynomialOrder(5)
                               .withSeed(42));
          }};
}

// Andersen and Broadie 2004: five assets, nine dates.
Problem max_call() {
  std::string config = "[market]\nrate = 0.05\n", names, matrix;
  for (int i = 0; i < 5; ++i) {
    config += fmt::format("[market.assets.A{}]\nspot = 100\ndividend = 0.1\nvolatility = 0.2\n", i);
    names += fmt::format("\"A{}\", ", i);
    matrix += "[";
    for (int j = 0; j < 5; ++j) matrix += i == j ? "1.0, " : "0.0, ";
    matrix += "], ";
  }
  config += fmt::format(
      "[market.correlation]\nassets = [{0}]\nmatrix = [{1}]\n[[trades]]\nid = \"max\"\n"
      "product = \"best_of\"\nassets = [{0}]\ntype = \"call\"\nstrike = 100\nmaturity = 3\n"
      "exercise = \"bermudan\"\nexercise_count = 9\n",
      names, matrix);
  return {"Bermudan call on the largest of 5 assets, 9 dates", config, [] {
            const FlatMarket m;
            ql::Settings::instance().evaluationDate() = m.today;
            std::vector<ql::ext::shared_ptr<ql::StochasticProcess1D>> processes;
            for (int i = 0; i < 5; ++i) processes.push_back(m.process(100, 0.1, 0.05, 0.2));
            ql::Matrix correlation(5, 5, 0.0);
            for (ql::Size i = 0; i < 5; ++i) correlation[i][i] = 1;
            ql::BasketOption option(
                ql::ext::make_shared<ql::MaxBasketPayoff>(
                    ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Call, 100.0)),
                ql::ext::make_shared<ql::AmericanExercise>(m.today, m.today + 3 * 365));
            return measure(option, ql::MakeMCAmericanBasketEngine<ql::PseudoRandom>(
                                       ql::ext::make_shared<ql::StochasticProcessArray>(
                                           processes, correlation))
                                       .withSteps(9)
                                       .withSamples(paths)
                                       .withCalibrationSamples(regression_paths)
                                       .withPolynomialOrder(3)
                                       .withSeed(42));
          }};
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

void run(const Problem& problem, int rounds, Target level) {
  std::vector<double> ours, theirs;
  Result a, b;
  for (int i = 0; i < rounds; ++i) {
    a = run_gsim(problem.config, level);
    b = problem.quantlib();
    ours.push_back(a.seconds);
    theirs.push_back(b.seconds);
  }
  const double ratio = median(theirs) / median(ours);
  const double error_ratio = b.error / a.error;
  fmt::print("{}\n", problem.name);
  fmt::print("  gsim      {:8.4f} s  price {:9.5f} ± {:.5f}\n", median(ours), a.price, a.error);
  fmt::print("  QuantLib  {:8.4f} s  price {:9.5f} ± {:.5f}\n", median(theirs), b.price, b.error);
  fmt::print("  same paths: {:.1f} times; same standard error: {:.0f} times\n", ratio,
             ratio * error_ratio * error_ratio);
}

int run_all(int argc, char** argv) {
  int rounds = 3;
  Target level = best_cpu_target();
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::stoi(argv[i + 1]);
    for (const Target t : available_cpu_targets())
      if (std::strcmp(argv[i], "--level") == 0 && argv[i + 1] == std::string(to_string(t)))
        level = t;
  }
  fmt::print(
      "{} paths, {} for regressions; {} alternating rounds, one thread; gsim at CPU level "
      "{}, QuantLib {} (as packaged)\n",
      paths, regression_paths, rounds, to_string(level), QL_VERSION);
  run(american_put(), rounds, level);
  run(max_call(), rounds, level);
  return 0;
}

}  // namespace
}  // namespace gsim::benchmark

int main(int argc, char** argv) {
  try {
    return gsim::benchmark::run_all(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
}
