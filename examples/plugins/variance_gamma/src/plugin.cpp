#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/pricing/path_model_kind.hpp>

#include "model.hpp"

GSIM_DECLARE_PATH_MODEL(variance_gamma)

namespace {

// Describes each key once, for reading, for messages and for `gsim schema`.
void describe(gsim::Section& s, gsim::pricing::KeyValues& values) {
  std::vector<double>& n = values.numbers;
  n.assign(variance_gamma::numbers, 0);
  s.required("sigma", n[variance_gamma::sigma],
             {.doc = "volatility of the Brownian motion in gamma time",
              .unit = "1/sqrt(year)",
              .minimum = 0,
              .maximum = 10});
  s.required(
      "theta", n[variance_gamma::theta],
      {.doc = "drift of the Brownian motion in gamma time; negative for the skew of equities",
       .unit = "1/year",
       .minimum = -10,
       .maximum = 10});
  s.required("nu", n[variance_gamma::nu],
             {.doc = "variance rate of the gamma time; a larger one gives fatter tails",
              .unit = "years",
              .minimum = 1e-4,
              .maximum = 100});
}

void validate(const gsim::Section& s, const gsim::pricing::PathModelAsset&,
              gsim::pricing::KeyValues& values) {
  if (!(variance_gamma::mean_factor(values.numbers) > 0))
    s.fail("nu", "the spot has no mean: theta nu + sigma^2 nu / 2 must be below 1",
           "lower nu, theta or sigma");
}

// The example that `gsim plugin check` prices.
constexpr const char* example = R"(
module = "pricing"
[stop]
samples = 40_000
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
dividend = 0.01
model = "variance_gamma"
sigma = 0.12
theta = -0.14
nu = 0.2
[market.assets.B]
spot = 90.0
volatility = 0.25
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
[[trades]]
id = "put"
product = "european"
type = "put"
asset = "A"
strike = 95.0
maturity = 1.0
[[trades]]
id = "average"
product = "asian"
type = "call"
asset = "A"
strike = 100.0
maturity = 1.0
fixing_count = 12
[[trades]]
id = "both"
product = "worst_of"
type = "put"
assets = ["A", "B"]
strike = 90.0
maturity = 0.5
)";

}  // namespace

GSIM_PLUGIN("variance_gamma", "1.0", "MIT", "the variance gamma process for the pricing module",
            [](gsim::Registry& registry) {
              registry.extend(gsim::pricing::PathModelKind{
                  .name = "variance_gamma",
                  .doc = "Brownian motion at gamma times, exact steps (Madan, Carr and Chang 1998)",
                  .describe = describe,
                  .validate = validate,
                  .step_numbers = variance_gamma::numbers_of_step,
                  .launchers = GSIM_PATH_MODEL(variance_gamma),
                  .example = example});
            })
