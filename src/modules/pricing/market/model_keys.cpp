#include "src/modules/pricing/market/model_keys.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

// Total implied variances: sigma^2 t for each time t, from its implied volatility sigma.
std::vector<double> total_variances(const Curve& curve) {
  std::vector<double> totals(curve.times.size());
  for (std::size_t i = 0; i < totals.size(); ++i)
    totals[i] = curve.values[i] * curve.values[i] * curve.times[i];
  return totals;
}

void check_rising(const Section& s, std::string_view key, const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] <= (i == 0 ? 0 : times[i - 1]))
      s.fail(key,
             fmt::format("times must be positive and rising, but entry {} is {}", i + 1, times[i]));
}

// Total implied variances must not decrease in time: otherwise the forward variance between two
// times would be negative, which is a calendar arbitrage.
void check_total_variances(const Section& s, const Curve& curve) {
  const std::vector<double> totals = total_variances(curve);
  for (std::size_t i = 1; i < totals.size(); ++i)
    if (totals[i] < totals[i - 1])
      s.fail(
          "values",
          fmt::format("total variance falls from {:.6g} at {} years to {:.6g} at {} years",
                      totals[i - 1], curve.times[i - 1], totals[i], curve.times[i]),
          fmt::format("a volatility of at least {:.6g} at {} years is consistent with the one "
                      "before; for forward volatilities between the times, set kind = \"forward\"",
                      std::sqrt(totals[i - 1] / curve.times[i]), curve.times[i]));
}

void set_variance_from_surface(const Section& s, AssetInput& a) {
  set_surface(s, a, true);  // only the volatilities at the forwards are used
  const VolatilitySurface& surface = *a.surface;
  std::vector<double> totals;
  a.volatility_times = surface.expiries();
  for (std::size_t i = 0; i < a.volatility_times.size(); ++i) {
    totals.push_back(square(surface.deviation(i)));
    a.implied_volatilities.push_back(std::sqrt(totals.back() / a.volatility_times[i]));
    if (i > 0 && totals[i] < totals[i - 1])
      s.fail(
          "volatility",
          fmt::format("the total variance of surface `{}` at the forward falls from {:.6g} at {} "
                      "years to {:.6g} at {} years",
                      excerpt(surface.name()), totals[i - 1], a.volatility_times[i - 1], totals[i],
                      a.volatility_times[i]),
          "correct the quotes");
  }
  // After the last expiry the implied volatility stays constant.
  std::vector<double> times = a.volatility_times, continued = totals;
  times.push_back(2 * times.back());
  continued.push_back(2 * totals.back());
  a.variance = StepFunction::from_totals(times, continued);
  double smile = 0;  // largest difference of volatilities, one standard deviation from the forward
  for (std::size_t i = 0; i < totals.size(); ++i)
    for (const double side : {-1.0, 1.0}) {
      const double k = side * surface.deviation(i);
      smile = std::fmax(smile,
                        std::fabs(std::sqrt(surface.at_expiry(i, k).value / a.volatility_times[i]) -
                                  a.implied_volatilities[i]));
    }
  constexpr double noticeable = 1e-5;
  if (smile > noticeable)
    a.market->warnings.push_back(fmt::format(
        "asset `{}`: black_scholes uses the volatilities of surface `{}` at the forwards for all "
        "strikes, from which those one standard deviation away differ by up to {:.2g}; "
        "model = \"local_volatility\" prices with the whole surface",
        excerpt(a.name), excerpt(surface.name()), smile));
}

constexpr std::string_view volatility_kinds[] = {"implied", "forward"};
constexpr int implied_volatilities = 0;  // position in volatility_kinds

}  // namespace

void describe_curve(Section& s, Curve& curve, std::span<const std::string_view> kinds,
                    const std::string& kinds_doc, const KeyInfo& values) {
  s.required("times", curve.times,
             {.doc = "ends of the intervals, increasing",
              .unit = "years",
              .min_size = 1,
              .is_date = true});
  s.required("values", curve.values,
             {.doc = "one value per time",
              .unit = values.unit,
              .minimum = values.minimum,
              .maximum = values.maximum,
              .min_size = 1});
  s.optional_word("kind", curve.kind, kinds, {.doc = kinds_doc});
}

void validate_curve(const Section& s, const Curve& curve) {
  check_rising(s, "times", curve.times);
  if (curve.values.size() != curve.times.size())
    s.fail("values",
           fmt::format("{} values for {} times", curve.values.size(), curve.times.size()));
}

void describe_volatility(Section& s, AssetInput& a, bool may_be_surface) {
  const KeyInfo info{
      .doc = may_be_surface ? "volatility of the spot's log returns, or a surface of "
                              "[market.volatility_surfaces], whose volatilities at the forwards "
                              "are then used for all strikes"
                            : "volatility of the spot's log returns",
      .unit = "1/sqrt(year)",
      .minimum = 0,
      .maximum = largest_volatility};
  Curve& curve = a.volatility.curve;
  const auto describe = [&](Section& t) {
    describe_curve(
        t, curve, volatility_kinds,
        "\"implied\": implied volatilities from today to each time, with the total variance "
        "(squared volatility times time) linear in between; \"forward\": the forward volatility of "
        "the interval that ends at each time; after the last time, the last one is used",
        info);
  };
  const auto validate = [&](const Section& t) {
    validate_curve(t, curve);
    if (curve.kind == implied_volatilities) check_total_variances(t, curve);
  };
  const auto table = validated(describe, validate);
  a.volatility.is_curve =
      may_be_surface ? s.number_text_or_table("volatility", a.volatility.flat, a.volatility.name,
                                              info, table, true)
                     : s.number_or_table("volatility", a.volatility.flat, info, table, true);
}

ForwardCurve forwards_of(const AssetInput& a) {
  ForwardCurve forwards{a.spot, a.market->rate_of(a.growth_currency), a.dividend, {}};
  for (const DividendDrop& drop : a.drops) forwards.drops.emplace_back(drop.time, drop.log_factor);
  return forwards;
}

void set_surface(const Section& s, AssetInput& a, bool may_have_arbitrage) {
  SurfaceInput input = require_surface(s, "volatility", a.market->surfaces, a.volatility.name);
  if (may_have_arbitrage) input.is_arbitrage_error = false;
  a.given_surface = std::make_shared<AssetSurface>(
      make_surface(input, forwards_of(a), a.name, a.market->warnings));
  a.surface = a.given_surface->surface;
}

void set_variance_from_volatility(const Section& s, AssetInput& a) {
  const auto& [flat, curve, is_curve, name] = a.volatility;
  if (!name.empty()) return set_variance_from_surface(s, a);
  if (is_curve) a.volatility_times = curve.times;
  if (!is_curve) {
    a.variance = flat * flat;
  } else if (curve.kind == implied_volatilities) {
    a.implied_volatilities = curve.values;
    a.variance = StepFunction::from_totals(curve.times, total_variances(curve));
  } else {
    std::vector<double> squares;
    for (const double volatility : curve.values) squares.push_back(volatility * volatility);
    a.variance = {curve.times, squares};
  }
}

bool has_values(Section& s) {
  bool has = false;
  validated([](Section&) {}, [&](const Section&) { has = true; })(s);
  return has;
}

void describe_stochastic_variance(Section& s, AssetInput& a, bool are_required) {
  const auto key = [&](std::string_view name, double& value, const KeyInfo& info) {
    if (are_required) return s.required(name, value, info);
    value = std::numeric_limits<double>::quiet_NaN();
    s.optional(name, value, info);
  };
  key("v0", a.v0, {.doc = "instantaneous variance today", .unit = "1/year", .minimum = 0});
  key("kappa", a.kappa,
      {.doc = "speed of mean reversion of the variance; pricing.steps_per_year should be at "
              "least 4 kappa, and must be at least kappa / 3",
       .unit = "1/year",
       .minimum = 0,
       .exclusive_minimum = true});
  key("theta", a.theta, {.doc = "long-run variance", .unit = "1/year", .minimum = 0});
  key("sigma", a.sigma,
      {.doc = "volatility of the variance",
       .unit = "1/year",
       .minimum = 0,
       .exclusive_minimum = true});
  key("rho", a.rho,
      {.doc = "correlation of the Brownian motions of spot and variance",
       .minimum = -1,
       .maximum = 1});
}

void describe_jumps(Section& s, AssetInput& a) {
  s.required(
      "jump_intensity", a.jump_intensity,
      {.doc = "expected number of jumps per year", .unit = "1/year", .minimum = 0, .maximum = 1e4});
  s.required("jump_mean", a.jump_mean,
             {.doc = "mean of the jumps of the log-spot", .minimum = -10, .maximum = 10});
  s.required(
      "jump_sd", a.jump_sd,
      {.doc = "standard deviation of the jumps of the log-spot", .minimum = 0, .maximum = 10});
}

}  // namespace gsim::pricing
