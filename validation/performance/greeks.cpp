// benchmark_greeks [--trades N] [--every K] [--level base|avx2|avx512]
//
// Prices with delta, vega, theta and rho of a portfolio: gsim in one run, and QuantLib's Monte
// Carlo engines one trade at a time, as QuantLib gives Greeks by Monte Carlo: by pricing again
// after bumps, with the same seed and number of paths; central ones of every spot, every volatility
// and the rate, and a maturity that is two days closer. Each uses one thread. QuantLib's options
// have no control variate, as by default. QuantLib prices every K-th trade, and its time is
// multiplied by K. Prints processor times, their ratio, and the totals of both over the trades that
// QuantLib prices.

#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <ql/exercise.hpp>
#include <ql/instruments/asianoption.hpp>
#include <ql/instruments/barrieroption.hpp>
#include <ql/instruments/basketoption.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/asian/mc_discr_arith_av_price.hpp>
#include <ql/pricingengines/barrier/mcbarrierengine.hpp>
#include <ql/pricingengines/basket/mceuropeanbasketengine.hpp>
#include <ql/pricingengines/vanilla/mceuropeanengine.hpp>
#include <ql/pricingengines/vanilla/mceuropeanhestonengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/processes/hestonprocess.hpp>
#include <ql/processes/stochasticprocessarray.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>
#include <ql/version.hpp>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/pricing_module.hpp"

namespace gsim::benchmark {
namespace {

namespace ql = QuantLib;

constexpr long paths = 8192;  // whole blocks of gsim
constexpr int assets = 4, heston_asset = 3, steps_per_year = 100;

/// Three lognormal assets, and one with Heston's model, whose volatility is sqrt(v0) = sqrt(theta).
struct Market {
  std::array<double, assets> spot = {100, 100, 100, 100}, volatility = {0.18, 0.22, 0.25, 0.2};
  double rate = 0.03, dividend = 0.01, correlation = 0.5;
  double kappa = 2, sigma = 0.4, rho = -0.6;
};

enum class Product { european, asian, barrier, basket, best_of };

struct Trade {
  Product product;
  std::vector<int> assets;
  bool is_call;
  double strike;
  int days;  ///< to maturity
  double barrier;
  int fixings() const { return days * 12 / 364; }
};

std::vector<Trade> portfolio(int count) {
  std::mt19937 random(20261128);
  const auto choose = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::vector<Trade> trades;
  for (int i = 0; i < count; ++i) {
    Trade t{};
    const int kind = choose(20);
    t.product = kind < 9    ? Product::european
                : kind < 14 ? Product::asian
                : kind < 16 ? Product::barrier
                : kind < 18 ? Product::basket
                            : Product::best_of;
    t.is_call = choose(2) == 0;
    t.strike = 80 + 5 * choose(9);
    t.days = 91 * (1 + choose(8));
    t.barrier = 70;
    const int first = choose(heston_asset);
    if (t.product == Product::european)
      t.assets = {choose(10) == 0 ? heston_asset : first};
    else if (t.product == Product::basket || t.product == Product::best_of)
      t.assets = {first, (first + 1) % heston_asset};
    else
      t.assets = {first};
    trades.push_back(t);
  }
  return trades;
}

std::string as_toml(const Market& m, const std::vector<Trade>& trades) {
  std::string text = fmt::format(
      "[pricing]\ngreeks = [\"delta\", \"vega\", \"theta\", \"rho\"]\nimportance_sampling = false\n"
      "steps_per_year = {}\n[market]\nrate = {}\n",
      steps_per_year, m.rate);
  std::string names, matrix;
  for (int a = 0; a < assets; ++a) {
    text += fmt::format("[market.assets.A{}]\nspot = {}\ndividend = {}\n", a,
                        m.spot[static_cast<std::size_t>(a)], m.dividend);
    const double volatility = m.volatility[static_cast<std::size_t>(a)];
    if (a == heston_asset)
      text += fmt::format(
          "model = \"heston\"\nv0 = {0}\ntheta = {0}\nkappa = {1}\nsigma = {2}\nrho = {3}\n",
          volatility * volatility, m.kappa, m.sigma, m.rho);
    else
      text += fmt::format("volatility = {}\n", volatility);
    names += fmt::format("\"A{}\",", a);
    matrix += "[";
    for (int b = 0; b < assets; ++b) matrix += fmt::format("{},", a == b ? 1 : m.correlation);
    matrix += "],";
  }
  text += fmt::format("[market.correlation]\nassets = [{}]\nmatrix = [{}]\n", names, matrix);
  constexpr const char* products[] = {"european", "asian", "barrier", "basket", "best_of"};
  for (std::size_t i = 0; i < trades.size(); ++i) {
    const Trade& t = trades[i];
    text += fmt::format(
        "[[trades]]\nid = \"T{}\"\nproduct = \"{}\"\ntype = \"{}\"\nstrike = {}\nmaturity = {}\n",
        i, products[static_cast<int>(t.product)], t.is_call ? "call" : "put", t.strike,
        t.days / 365.0);
    if (t.assets.size() == 1) text += fmt::format("asset = \"A{}\"\n", t.assets[0]);
    if (t.assets.size() == 2)
      text += fmt::format("assets = [\"A{}\", \"A{}\"]\n", t.assets[0], t.assets[1]);
    if (t.product == Product::asian) text += fmt::format("fixing_count = {}\n", t.fixings());
    if (t.product == Product::basket) text += "weights = [0.5, 0.5]\n";
    if (t.product == Product::barrier)
      text += fmt::format("kind = \"down_and_out\"\nbarrier = {}\n", t.barrier);
  }
  return text;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// Sums over the trades that QuantLib prices.
struct Totals {
  double price = 0, delta = 0, vega = 0, theta = 0, rho = 0;
};

struct Run {
  double seconds = 0;
  Totals totals;
  std::vector<double> price, error;
};

Run run_gsim(const std::string& config, std::size_t every, Target level) {
  const double start = processor_seconds();
  const pricing::PayoffKinds payoffs = pricing::builtin_payoffs();
  const pricing::PathModelKinds models = pricing::builtin_path_models();
  pricing::PricingModule module({payoffs.begin(), payoffs.end()}, {models.begin(), models.end()});
  ConfigFile file = ConfigFile::parse(config, "benchmark.toml");
  configure(module, file);
  Context context{Communicator::self(), Executor::host(1, level)};
  context.seed = 20261128;
  context.stop.max_samples = paths;
  const WorkPlan plan = module.plan(context);
  module.prepare();
  module.advance(0, plan.total_units);
  module.update_estimates();
  MemoryDatasets results(Communicator::self());
  module.write_results(results);
  Run run;
  run.seconds = processor_seconds() - start;
  const std::vector<Estimate> prices = module.estimates();
  for (std::size_t i = 0; i < prices.size(); i += every) {
    run.price.push_back(prices[i].mean);
    run.error.push_back(prices[i].standard_error);
    run.totals.price += prices[i].mean;
  }
  const auto& datasets = results.contents().datasets;
  const std::vector<std::string>& trade = datasets.at("greeks/trade").strings;
  const std::vector<std::string>& greek = datasets.at("greeks/greek").strings;
  const std::vector<char>& bytes = datasets.at("greeks/value").bytes;
  for (std::size_t i = 0; i < greek.size(); ++i) {
    if (std::stoul(trade[i].substr(1)) % every != 0) continue;
    double value = 0;
    std::memcpy(&value, bytes.data() + i * sizeof(double), sizeof(double));
    Totals& s = run.totals;
    (greek[i] == "delta"  ? s.delta
     : greek[i] == "vega" ? s.vega
     : greek[i] == "rho"  ? s.rho
                          : s.theta) += value;
  }
  return run;
}

/// A trade priced by QuantLib, `passed` days later at constant spots.
class QuantLibPricer {
 public:
  struct Price {
    double value, error;
  };
  Price price(const Trade& t, const Market& m, int passed = 0) const {
    const ql::Date expiry = today_ + (t.days - passed);
    const auto payoff = ql::ext::make_shared<ql::PlainVanillaPayoff>(
        t.is_call ? ql::Option::Call : ql::Option::Put, t.strike);
    const auto exercise = ql::ext::make_shared<ql::EuropeanExercise>(expiry);
    const auto first = t.assets[0];
    if (t.product == Product::european) {
      ql::VanillaOption option(payoff, exercise);
      if (first == heston_asset)
        return npv(option, ql::MakeMCEuropeanHestonEngine<ql::PseudoRandom>(heston(m))
                               .withStepsPerYear(steps_per_year)
                               .withSamples(paths)
                               .withSeed(seed));
      return npv(option, ql::MakeMCEuropeanEngine<ql::PseudoRandom>(lognormal(m, first))
                             .withSteps(1)
                             .withSamples(paths)
                             .withSeed(seed));
    }
    if (t.product == Product::asian) {
      std::vector<ql::Date> dates;
      for (int k = 1; k <= t.fixings(); ++k)
        dates.push_back(today_ + (t.days * k / t.fixings() - passed));
      ql::DiscreteAveragingAsianOption option(ql::Average::Arithmetic, 0.0, 0, dates, payoff,
                                              exercise);
      return npv(option, ql::MakeMCDiscreteArithmeticAPEngine<ql::PseudoRandom>(lognormal(m, first))
                             .withSamples(paths)
                             .withSeed(seed));
    }
    if (t.product == Product::barrier) {
      ql::BarrierOption option(ql::Barrier::DownOut, t.barrier, 0.0, payoff, exercise);
      return npv(option, ql::MakeMCBarrierEngine<ql::PseudoRandom>(lognormal(m, first))
                             .withSteps(static_cast<ql::Size>(t.fixings()))
                             .withSamples(paths)
                             .withSeed(seed));
    }
    std::vector<ql::ext::shared_ptr<ql::StochasticProcess1D>> processes;
    for (const int a : t.assets) processes.push_back(lognormal(m, a));
    ql::Matrix correlation(2, 2, m.correlation);
    correlation[0][0] = correlation[1][1] = 1;
    ql::ext::shared_ptr<ql::BasketPayoff> basket;
    if (t.product == Product::basket)
      basket = ql::ext::make_shared<ql::AverageBasketPayoff>(payoff, ql::Size{2});
    else
      basket = ql::ext::make_shared<ql::MaxBasketPayoff>(payoff);
    ql::BasketOption option(basket, exercise);
    return npv(option, ql::MakeMCEuropeanBasketEngine<ql::PseudoRandom>(
                           ql::ext::make_shared<ql::StochasticProcessArray>(processes, correlation))
                           .withSteps(1)
                           .withSamples(paths)
                           .withSeed(seed));
  }

 private:
  static constexpr ql::BigNatural seed = 42;

  ql::Handle<ql::YieldTermStructure> curve(double rate) const {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today_, rate, day_count_));
  }
  static ql::Handle<ql::Quote> quote(double value) {
    return ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(value));
  }
  ql::ext::shared_ptr<ql::GeneralizedBlackScholesProcess> lognormal(const Market& m, int a) const {
    const auto i = static_cast<std::size_t>(a);
    return ql::ext::make_shared<ql::BlackScholesMertonProcess>(
        quote(m.spot[i]), curve(m.dividend), curve(m.rate),
        ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
            today_, ql::NullCalendar(), m.volatility[i], day_count_)));
  }
  ql::ext::shared_ptr<ql::HestonProcess> heston(const Market& m) const {
    const double v = m.volatility[heston_asset] * m.volatility[heston_asset];
    return ql::ext::make_shared<ql::HestonProcess>(
        curve(m.rate), curve(m.dividend), quote(m.spot[heston_asset]), v, m.kappa, v, m.sigma,
        m.rho, ql::HestonProcess::QuadraticExponentialMartingale);
  }
  template <class Instrument>
  static Price npv(Instrument& option, const ql::ext::shared_ptr<ql::PricingEngine>& engine) {
    option.setPricingEngine(engine);
    const double value = option.NPV();
    return {value, option.errorEstimate()};
  }

  ql::Date today_ = ql::Settings::instance().evaluationDate();
  ql::DayCounter day_count_ = ql::Actual365Fixed();
};

Run run_quantlib(const std::vector<Trade>& trades, std::size_t every) {
  const Market market;
  constexpr double spot_bump = 0.01, bump = 0.01;
  constexpr int passed = 2;  // days
  ql::Settings::instance().evaluationDate() = ql::Date(2, ql::January, 2023);
  const QuantLibPricer pricer;
  Run run;
  const double start = processor_seconds();
  for (std::size_t i = 0; i < trades.size(); i += every) {
    const Trade& t = trades[i];
    const auto difference = [&](auto change, double size) {
      Market up = market, down = market;
      change(up, size);
      change(down, -size);
      return pricer.price(t, up).value - pricer.price(t, down).value;
    };
    const QuantLibPricer::Price price = pricer.price(t, market);
    run.price.push_back(price.value);
    run.error.push_back(price.error);
    run.totals.price += price.value;
    for (const int asset : t.assets) {
      const auto a = static_cast<std::size_t>(asset);
      const double size = spot_bump * market.spot[a];
      run.totals.delta +=
          difference([&](Market& m, double h) { m.spot[a] += h; }, size) / (2 * size);
      run.totals.vega +=
          difference([&](Market& m, double h) { m.volatility[a] += h; }, bump) / (2 * bump);
    }
    run.totals.rho += difference([](Market& m, double h) { m.rate += h; }, bump) / (2 * bump);
    run.totals.theta += (pricer.price(t, market, passed).value - price.value) / (passed / 365.0);
  }
  run.seconds = (processor_seconds() - start) * static_cast<double>(every);
  return run;
}

void print(const char* name, const Run& run) {
  const Totals& s = run.totals;
  fmt::print(
      "  {:8} {:9.3f} s  price {:.2f}  delta {:.3f}  vega {:.1f}  theta {:.1f}  rho {:.1f}\n", name,
      run.seconds, s.price, s.delta, s.vega, s.theta, s.rho);
}

int run_all(int argc, char** argv) {
  int count = 2000;
  std::size_t every = 10;
  Target level = best_cpu_target();
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--trades") == 0) count = std::stoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--every") == 0) every = std::stoul(argv[i + 1]);
    for (const Target t : available_cpu_targets())
      if (std::strcmp(argv[i], "--level") == 0 && argv[i + 1] == std::string(to_string(t)))
        level = t;
  }
  const std::vector<Trade> trades = portfolio(count);
  fmt::print(
      "{} trades, {} paths, price, delta, vega, theta and rho; one thread; gsim at CPU level {}, "
      "QuantLib {} (as packaged)\n",
      count, paths, to_string(level), QL_VERSION);
  const std::string config = as_toml(Market{}, trades);
  const Run before = run_gsim(config, every, level);
  const Run theirs = run_quantlib(trades, every);
  Run ours = run_gsim(config, every, level);
  ours.seconds = 0.5 * (ours.seconds + before.seconds);
  print("gsim", ours);
  print("QuantLib", theirs);
  const auto compared = static_cast<double>(ours.price.size());
  double squares = 0, error_ratio = 0;
  for (std::size_t i = 0; i < ours.price.size(); ++i) {
    squares += std::pow(ours.price[i] - theirs.price[i], 2) /
               (std::pow(ours.error[i], 2) + std::pow(theirs.error[i], 2));
    error_ratio += theirs.error[i] / ours.error[i];
  }
  fmt::print(
      "  same paths: {:.0f} times; QuantLib's standard errors of prices are {:.1f} times as large; "
      "root mean square deviation of prices {:.2f} standard errors\n",
      theirs.seconds / ours.seconds, error_ratio / compared, std::sqrt(squares / compared));
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
