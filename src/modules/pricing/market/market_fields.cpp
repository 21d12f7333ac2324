#include "src/modules/pricing/market/market_fields.hpp"

#include <cmath>

#include <fmt/format.h>

namespace gsim::pricing {
namespace {

void check_rising(const Section& s, std::string_view key, const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] <= (i == 0 ? 0 : times[i - 1]))
      s.fail(key,
             fmt::format("times must be positive and rising, but entry {} is {}", i + 1, times[i]));
}

// Total implied variances must not decrease in time: otherwise the forward variance between two
// times would be negative, which is a calendar arbitrage.
StepFunction variance_from_implied(const Section& s, const Curve& curve) {
  std::vector<double> totals(curve.times.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    totals[i] = curve.values[i] * curve.values[i] * curve.times[i];
    if (i > 0 && totals[i] < totals[i - 1])
      s.fail("values",
             fmt::format("total variance falls from {:.6g} at {} years to {:.6g} at {} years",
                         totals[i - 1], curve.times[i - 1], totals[i], curve.times[i]),
             fmt::format("a volatility of at least {:.6g} at {} years is consistent with the one "
                         "before; for volatilities that hold between times, say kind = "
                         "\"forward\"",
                         std::sqrt(totals[i - 1] / curve.times[i]), curve.times[i]));
  }
  return StepFunction::from_totals(curve.times, totals);
}

}  // namespace

void describe_curve(Section& s, Curve& curve, std::span<const std::string_view> kinds,
                    const std::string& kinds_doc, const KeyInfo& values) {
  s.required("times", curve.times,
             {.doc = "ends of the intervals, rising", .unit = "years", .min_size = 1});
  s.required("values", curve.values,
             {.doc = "one value per time",
              .unit = values.unit,
              .minimum = values.minimum,
              .maximum = values.maximum,
              .min_size = 1});
  s.optional_word("kind", curve.kind, kinds, {.doc = kinds_doc});
  if (s.describing()) return;
  check_rising(s, "times", curve.times);
  if (curve.values.size() != curve.times.size())
    s.fail("values",
           fmt::format("{} values for {} times", curve.values.size(), curve.times.size()));
}

void describe_volatility(Section& s, StepFunction& variance) {
  static constexpr std::string_view kinds[] = {"implied", "forward"};
  const KeyInfo info{.doc = "volatility of the spot's log returns",
                     .unit = "1/sqrt(year)",
                     .minimum = 0,
                     .maximum = largest_volatility};
  double flat = 0;
  Curve curve;
  const bool is_table = s.number_or_table(
      "volatility", flat, info,
      [&](Section& t) {
        describe_curve(t, curve, kinds,
                       "\"implied\": average volatility from today to each time, its squared "
                       "product with time (total variance) linear in between; \"forward\": "
                       "volatility that holds until each time; after the last time the last "
                       "forward volatility holds",
                       info);
        if (!t.describing() && curve.kind == 0) variance = variance_from_implied(t, curve);
      },
      true);
  if (s.describing()) return;
  if (!is_table) {
    variance = flat * flat;
  } else if (curve.kind == 1) {
    for (double& v : curve.values) v *= v;
    variance = {curve.times, curve.values};
  }
}

void describe_own_variance(Section& s, AssetConfig& a) {
  s.required("v0", a.v0, {.doc = "instantaneous variance today", .unit = "1/year", .minimum = 0});
  s.required("kappa", a.kappa,
             {.doc = "speed of the variance's mean reversion; steps_per_year should be 4 times as "
                     "much, and must be a third",
              .unit = "1/year",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("theta", a.theta, {.doc = "long-run variance", .unit = "1/year", .minimum = 0});
  s.required("sigma", a.sigma,
             {.doc = "volatility of the variance",
              .unit = "1/year",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("rho", a.rho,
             {.doc = "correlation of the spot's and the variance's Brownian motions",
              .minimum = -1,
              .maximum = 1});
}

void describe_jumps(Section& s, AssetConfig& a) {
  s.required(
      "jump_intensity", a.jump_intensity,
      {.doc = "expected number of jumps a year", .unit = "1/year", .minimum = 0, .maximum = 1e4});
  s.required("jump_mean", a.jump_mean,
             {.doc = "mean of the jump of the log-spot", .minimum = -10, .maximum = 10});
  s.required(
      "jump_sd", a.jump_sd,
      {.doc = "standard deviation of the jump of the log-spot", .minimum = 0, .maximum = 10});
}

}  // namespace gsim::pricing
