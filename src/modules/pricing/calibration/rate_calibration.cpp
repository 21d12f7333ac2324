#include "src/modules/pricing/calibration/rate_calibration.hpp"

#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/calibration/levenberg_marquardt.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/curves/find_root.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

/// A parameter of the model, where its fit starts, and the bounds of the fit.
struct Parameter {
  const char* name;
  double* value;
  FitParameter fit;
};

/// The parameters of the model of a rate, in the order of the fit.
std::vector<Parameter> parameters_of(ShortRate& rate) {
  constexpr FitParameter volatility{0.01, 1e-6, 0.5};
  if (!rate.second)
    return {{"volatility", &rate.volatility, volatility},
            {"mean_reversion", &rate.mean_reversion, {0.03, -0.2, 2}}};
  return {{"a", &rate.mean_reversion, {0.5, 0, 5}},
          {"sigma", &rate.volatility, volatility},
          {"b", &rate.second->mean_reversion, {0.05, 0, 5}},
          {"eta", &rate.second->volatility, volatility},
          {"rho", &rate.second->correlation, {-0.7, -0.999, 0.999}}};
}

/// A swaption of the calibration, with what does not depend on the model's parameters.
struct Swaption {
  const SwaptionQuote* quote = nullptr;
  TradeConfig trade;  ///< its swap
  double forward = 0, annuity = 0, price = 0, weight = 0;
};

/// Bachelier's value of a call, not discounted.
double bachelier(double forward, double strike, double deviation) {
  const double d = (forward - strike) / deviation;
  return (forward - strike) * normal_cdf(d) + deviation * normal_pdf(d);
}

/// The deviation with which Bachelier's value is `value`, or NaN.
double normal_deviation(double forward, double strike, double value) {
  const auto difference = [&](double deviation) {
    return bachelier(forward, strike, deviation) - value;
  };
  return find_root(difference, 1e-9, 10.0).value_or(not_given);
}

/// A payer swaption's price as a quote of its kind, or NaN.
double quote_of(const Swaption& s, double price) {
  const double root = std::sqrt(s.quote->expiry), value = price / s.annuity;
  if (s.quote->kind == SwaptionQuote::Kind::price) return price;
  if (s.quote->kind == SwaptionQuote::Kind::normal)
    return normal_deviation(s.forward, s.trade.strike, value) / root;
  const auto difference = [&](double deviation) {
    return black(1, s.forward, s.trade.strike, square(deviation), 1) - value;
  };
  return find_root(difference, 1e-9, 50.0).value_or(not_given) / root;
}

double quoted_price(const Section& s, const Swaption& w) {
  const double deviation = w.quote->quote * std::sqrt(w.quote->expiry);
  if (w.quote->kind == SwaptionQuote::Kind::price) return w.quote->price;
  if (w.quote->kind == SwaptionQuote::Kind::normal)
    return w.annuity * bachelier(w.forward, w.trade.strike, deviation);
  if (!(w.forward > 0 && w.trade.strike > 0))
    s.fail("swaptions",
           fmt::format("the swaption of {:g} into {:g} years has the forward rate {:.4g} and the "
                       "strike {:.4g}, and Black's volatility needs positive ones",
                       w.quote->expiry, w.quote->length, w.forward, w.trade.strike),
           "give normal_volatility");
  return w.annuity * black(1, w.forward, w.trade.strike, square(deviation), 1);
}

/// Value today of the swap to its payer.
double swap_value(const TradeConfig& trade, const ShortRateModel& model) {
  double sum = 0;
  for (const RateTerm& term : remaining_swap(trade, model, 0)) sum += term.amount;
  return sum;
}

Swaption make_swaption(const Section& s, const SwaptionQuote& quote, const ShortRateModel& model) {
  constexpr double smallest_density = 0.01;
  Swaption w;
  w.quote = &quote;
  w.trade.call = true;
  w.trade.start = quote.expiry;
  w.trade.numbers = quote.periods;
  w.trade.strike = 0;
  const double floating = swap_value(w.trade, model);
  w.trade.strike = 1;
  w.annuity = floating - swap_value(w.trade, model);
  w.forward = floating / w.annuity;
  w.trade.strike = std::isnan(quote.strike) ? w.forward : quote.strike;
  w.price = quoted_price(s, w);
  const double deviation = normal_deviation(w.forward, w.trade.strike, w.price / w.annuity);
  const double intrinsic = std::fmax(w.forward - w.trade.strike, 0.0);
  constexpr double rounding = 1e-12;  // relative to the intrinsic value
  const bool is_volatility = quote.kind != SwaptionQuote::Kind::price;
  if (is_volatility && w.price <= w.annuity * intrinsic * (1 + rounding))
    s.fail(
        "swaptions",
        fmt::format("the swaption of {:g} into {:g} years has no time value at the strike {:.4g} "
                    "with the volatility {:.4g}, so that no model can be fitted to it: the "
                    "forward rate is {:.4g}",
                    quote.expiry, quote.length, w.trade.strike, quote.quote, w.forward),
        "give quotes of strikes nearer to the forward rate");
  if (std::isnan(deviation))
    s.fail("swaptions", fmt::format("the swaption of {:g} into {:g} years costs {:.6g}, which no "
                                    "volatility gives: its intrinsic value is {:.6g}",
                                    quote.expiry, quote.length, w.price, w.annuity * intrinsic));
  const double density = normal_pdf((w.forward - w.trade.strike) / deviation);
  w.weight = 1 / (w.annuity * std::sqrt(quote.expiry) * std::fmax(density, smallest_density));
  return w;
}

double model_price(const Swaption& w, const ShortRateModel& model) {
  return model.expectation(remaining_swap(w.trade, model, w.quote->expiry), w.quote->expiry, true);
}

std::string instrument_of(const SwaptionQuote& q) {
  return fmt::format("swaption of {:g} into {:g} years", q.expiry, q.length);
}

/// By how much the model misses a quote, relative to what is a poor fit: 0.0005 of a normal
/// volatility (also for prices, divided by their vega), and 0.01 of Black's. Infinite where the
/// model's price has no volatility.
double relative_error(const Swaption& w, double residual, const CalibrationError& error) {
  constexpr double poor_normal = 5e-4, poor_black = 0.01;
  using Kind = SwaptionQuote::Kind;
  const double difference = w.quote->kind == Kind::price ? residual : error.model - error.quote;
  if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
  return std::fabs(difference) / (w.quote->kind == Kind::black ? poor_black : poor_normal);
}

/// Warns of a poor fit; `fitted` are the parameters that were calibrated.
void warn_of_fit(const std::vector<Swaption>& swaptions, const Fit& fit,
                 const std::vector<Parameter>& fitted, const CalibrationReport& report,
                 const std::string& name, MarketConfig& market) {
  const auto warn = [&](const std::string& text) {
    market.warnings.push_back(
        fmt::format("rate `{}`, calibrated to swaptions: {}", excerpt(name), text));
  };
  if (!fit.has_converged) warn("the fit has not converged");
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < swaptions.size(); ++i) {
    const double error = relative_error(swaptions[i], fit.residuals[i], report.errors[i]);
    if (error <= largest) continue;
    worst = i;
    largest = error;
  }
  const CalibrationError& error = report.errors[worst];
  if (std::isnan(error.model))
    warn(fmt::format("no volatility gives the model's price of the {}, whose quote is {:.4g}",
                     error.instrument, error.quote));
  else if (largest > 1)
    warn(
        fmt::format("the model's {:.4g} differs from the quote {:.4g} of the {}; see "
                    "market/calibration of the results",
                    error.model, error.quote, error.instrument));
  for (const Parameter& p : fitted) {
    if (*p.value > p.fit.lower && *p.value < p.fit.upper) continue;
    const bool is_only_volatility = p.name == std::string_view("volatility");
    warn(fmt::format("{} = {:g} is at the bound of the fit{}", p.name, *p.value,
                     is_only_volatility ? "" : ": the quotes do not determine it"));
  }
}

/// ConfigError if there are fewer quotes than parameters.
void check_count(const Section& s, std::size_t quotes, std::size_t parameters,
                 const ShortRate& rate) {
  if (quotes >= parameters) return;
  if (!rate.second)
    s.fail("swaptions", "one swaption does not determine mean reversion and volatility",
           "give mean_reversion or more swaptions");
  s.fail("swaptions",
         fmt::format("{} {} not determine {} parameters", quotes,
                     quotes == 1 ? "swaption does" : "swaptions do", parameters),
         "give more swaptions, or some of a, b and rho");
}

void describe_quote(Section& s, SwaptionQuote& q) {
  q.strike = q.normal_volatility = q.black_volatility = q.price = not_given;
  s.required("expiry", q.expiry,
             {.doc = "expiry, and start of the swap",
              .unit = "years",
              .minimum = 0,
              .exclusive_minimum = true,
              .is_date = true});
  s.required("length", q.length,
             {.doc = "length of the swap, a whole number of its periods",
              .unit = "years",
              .minimum = 0,
              .maximum = longest_maturity,
              .exclusive_minimum = true});
  s.optional("strike", q.strike,
             {.doc = "fixed rate; by default the forward swap rate", .minimum = -1, .maximum = 10});
  s.optional("normal_volatility", q.normal_volatility,
             {.doc = "Bachelier's implied volatility (0.01: 1 % a year)",
              .unit = "1/year/sqrt(year)",
              .minimum = 0,
              .maximum = 1,
              .exclusive_minimum = true});
  s.optional("black_volatility", q.black_volatility,
             {.doc = "Black's implied volatility, in place of the normal one",
              .unit = "1/sqrt(year)",
              .minimum = 0,
              .maximum = 10,
              .exclusive_minimum = true});
  s.optional("price", q.price,
             {.doc = "of the payer swaption per unit of notional, in place of volatilities",
              .minimum = 0,
              .exclusive_minimum = true});
  describe_periods(s, q.swap);
}

void validate_quote(const Section& s, SwaptionQuote& q) {
  q.swap.start = q.expiry;
  q.swap.end = q.expiry + q.length;
  q.periods = regular_periods(s, "length", q.swap);
  const bool is_normal = s.has("normal_volatility"), is_black = s.has("black_volatility");
  if (is_normal + is_black + s.has("price") != 1)
    s.fail("", "a swaption needs one of `normal_volatility`, `black_volatility` and `price`");
  q.kind = is_normal  ? SwaptionQuote::Kind::normal
           : is_black ? SwaptionQuote::Kind::black
                      : SwaptionQuote::Kind::price;
  q.quote = is_normal ? q.normal_volatility : is_black ? q.black_volatility : q.price;
}

}  // namespace

void describe_swaption_quotes(Section& rate, std::vector<SwaptionQuote>& quotes) {
  rate.tables("swaptions", quotes, validated(describe_quote, validate_quote),
              "European payer swaptions, to which the volatilities and, unless they are given, the "
              "other parameters of the model are calibrated");
}

void calibrate_short_rate(const Section& s, const std::vector<SwaptionQuote>& quotes,
                          MarketConfig& market, AssetConfig& asset) {
  AssetConfig trial = asset;
  ShortRate& rate = *trial.short_rate;
  std::vector<Parameter> fitted;
  for (const Parameter& p : parameters_of(rate))
    if (std::isnan(*p.value)) fitted.push_back(p);
  check_count(s, quotes.size(), fitted.size(), rate);
  for (const SwaptionQuote& q : quotes) rate.horizon = std::fmax(rate.horizon, q.swap.end);
  std::vector<FitParameter> parameters;
  for (const Parameter& p : fitted) {
    parameters.push_back(p.fit);
    *p.value = p.fit.start;  // values today do not depend on it
  }
  const auto set = [&](std::span<const double> values) {
    for (std::size_t i = 0; i < fitted.size(); ++i) *fitted[i].value = values[i];
  };
  std::vector<Swaption> swaptions;
  swaptions.reserve(quotes.size());
  for (const SwaptionQuote& q : quotes)
    swaptions.push_back(make_swaption(s, q, ShortRateModel(market, trial)));
  const auto evaluate = [&](std::span<const double> values, std::span<double> residuals) {
    set(values);
    const ShortRateModel model(market, trial);
    for (std::size_t i = 0; i < swaptions.size(); ++i)
      residuals[i] = (model_price(swaptions[i], model) - swaptions[i].price) * swaptions[i].weight;
  };
  const Fit fit = levenberg_marquardt(evaluate, parameters, swaptions.size());
  set(fit.parameters);
  CalibrationReport report;
  report.target = "swaptions";
  for (const Parameter& p : parameters_of(rate))
    report.parameters.push_back({not_given, p.name, *p.value});
  const ShortRateModel model(market, trial);
  for (const Swaption& w : swaptions)
    report.errors.push_back(
        {instrument_of(*w.quote), w.quote->quote, quote_of(w, model_price(w, model))});
  warn_of_fit(swaptions, fit, fitted, report, asset.name, market);
  const double horizon = asset.short_rate->horizon;
  asset.short_rate = rate;
  asset.short_rate->horizon = horizon;
  asset.calibration = std::make_shared<CalibrationReport>(std::move(report));
}

}  // namespace gsim::pricing
