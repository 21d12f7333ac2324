// QuantLib's own Monte Carlo engines for the products of the benchmark, used as its documentation
// shows: one thread, its default pseudo-random generator, no variance reduction.

#include "cases.hpp"

#ifdef GSIM_HAS_QUANTLIB

#include <chrono>
#include <ql/exercise.hpp>
#include <ql/instruments/asianoption.hpp>
#include <ql/instruments/basketoption.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/asian/mc_discr_arith_av_price.hpp>
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

namespace gsim::benchmark {
namespace {

namespace ql = QuantLib;

/// Dates, day count and flat term structures of the cases as objects of QuantLib.
struct FlatMarket {
  ql::Date today{2, ql::January, 2023};  // no leap year, so that the expiry is one year later
  ql::Date expiry = today + 365;
  ql::DayCounter day_count = ql::Actual365Fixed();

  ql::Handle<ql::YieldTermStructure> curve(double rate) const {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, day_count));
  }
  ql::Handle<ql::Quote> quote(double value) const {
    return ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(value));
  }
  ql::ext::shared_ptr<ql::GeneralizedBlackScholesProcess> black_scholes(const Market& m) const {
    return ql::ext::make_shared<ql::BlackScholesMertonProcess>(
        quote(m.spot), curve(m.dividend), curve(m.rate),
        ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<ql::BlackConstantVol>(
            today, ql::NullCalendar(), m.volatility, day_count)));
  }
};

template <class Instrument>
Result measure(Instrument& instrument, const ql::ext::shared_ptr<ql::PricingEngine>& engine,
               long samples) {
  instrument.setPricingEngine(engine);
  const auto start = std::chrono::steady_clock::now();
  const double price = instrument.NPV();
  const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
  return {t.count(), static_cast<double>(samples), price, instrument.errorEstimate()};
}

}  // namespace

Result run_quantlib(const Case& c, long samples) {
  const Market m;
  const FlatMarket flat;
  ql::Settings::instance().evaluationDate() = flat.today;
  const auto payoff = ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Call, m.strike);
  const auto exercise = ql::ext::make_shared<ql::EuropeanExercise>(flat.expiry);
  const auto n = static_cast<ql::Size>(samples);
  const auto steps = static_cast<ql::Size>(c.steps);
  switch (c.problem) {
    case Problem::asian_52: {
      std::vector<ql::Date> dates;
      for (int k = 1; k <= c.steps; ++k) dates.push_back(flat.today + 365 * k / c.steps);
      ql::DiscreteAveragingAsianOption option(ql::Average::Arithmetic, 0.0, 0, dates, payoff,
                                              exercise);
      return measure(option,
                     ql::MakeMCDiscreteArithmeticAPEngine<ql::PseudoRandom>(flat.black_scholes(m))
                         .withBrownianBridge(false)
                         .withSamples(n)
                         .withSeed(42),
                     samples);
    }
    case Problem::heston_100: {
      const auto process = ql::ext::make_shared<ql::HestonProcess>(
          flat.curve(m.heston_rate), flat.curve(m.heston_dividend), flat.quote(m.spot), m.v0,
          m.kappa, m.theta, m.sigma, m.rho, ql::HestonProcess::QuadraticExponentialMartingale);
      ql::VanillaOption option(payoff, exercise);
      return measure(option,
                     ql::MakeMCEuropeanHestonEngine<ql::PseudoRandom>(process)
                         .withSteps(steps)
                         .withSamples(n)
                         .withSeed(42),
                     samples);
    }
    case Problem::basket_5: {
      ql::Matrix correlation(5, 5, m.correlation);
      for (ql::Size i = 0; i < 5; ++i) correlation[i][i] = 1;
      std::vector<ql::ext::shared_ptr<ql::StochasticProcess1D>> processes;
      for (int i = 0; i < c.assets; ++i) processes.push_back(flat.black_scholes(m));
      const auto array = ql::ext::make_shared<ql::StochasticProcessArray>(processes, correlation);
      ql::BasketOption option(ql::ext::make_shared<ql::AverageBasketPayoff>(payoff, 5), exercise);
      return measure(option,
                     ql::MakeMCEuropeanBasketEngine<ql::PseudoRandom>(array)
                         .withSteps(steps)
                         .withSamples(n)
                         .withSeed(42),
                     samples);
    }
    default: {
      ql::VanillaOption option(payoff, exercise);
      return measure(option,
                     ql::MakeMCEuropeanEngine<ql::PseudoRandom>(flat.black_scholes(m))
                         .withSteps(steps)
                         .withSamples(n)
                         .withSeed(42),
                     samples);
    }
  }
}

bool have_quantlib() { return true; }
std::string quantlib_version() { return QL_VERSION; }

}  // namespace gsim::benchmark

#else

#include "gsim/core/error.hpp"

namespace gsim::benchmark {
Result run_quantlib(const Case&, long) {
  throw Error("this benchmark was built without QuantLib; install libquantlib0-dev");
}
bool have_quantlib() { return false; }
std::string quantlib_version() { return "not installed"; }
}  // namespace gsim::benchmark

#endif
