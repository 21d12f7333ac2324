// The modules risk and exposure check the paths that they simulate as the module pricing does.

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

const std::string asian_on_h = R"(
[[trades]]
id = "a"
product = "asian"
asset = "H"
type = "call"
strike = 100.0
maturity = 1.0
fixing_count = 4
)";
const std::string european_on_h = R"(
[[trades]]
id = "a"
product = "european"
asset = "H"
type = "call"
strike = 100.0
maturity = 1.0
)";
const std::string fast_heston = R"(
[pricing]
steps_per_year = 10.0
[market]
rate = 0.02
[market.assets.H]
model = "heston"
spot = 100.0
v0 = 0.04
kappa = 10.0
theta = 0.04
sigma = 0.3
rho = -0.5
)";
const std::string exposure_of_set = R"(
[exposure]
times = [0.5, 1.0]
[[exposure.netting_sets]]
name = "set"
)";
const std::string stress_of_h = R"(
[risk]
methods = []
inner_samples = 1024
[[risk.stress]]
name = "fall"
spots = -0.1
)";

bool warns_of(const std::string& part, const ModuleResult& result) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("risk and exposure warn of long steps of a variance where values are sampled") {
  const std::string kappa = "kappa = 10 times a time step of";
  CHECK(warns_of(
      kappa, run_module_alone(exposure_run(fast_heston + exposure_of_set + asian_on_h, 8 * 4096))));
  CHECK(warns_of(kappa, run_module_alone(exposure_run(fast_heston + exposure_of_set + european_on_h,
                                                      8 * 4096))));
  CHECK(warns_of(kappa, run_module_alone(risk_run(fast_heston + stress_of_h + asian_on_h))));
}

TEST_CASE("exposures refuse more jumps in a step than the tables hold") {
  std::string text = "no error";
  const std::string jumps = R"(
[market]
rate = 0.02
[market.assets.H]
model = "merton"
spot = 100.0
volatility = 0.2
jump_intensity = 2000.0
jump_mean = 0.0
jump_sd = 0.001
)";
  try {
    run_module_alone(exposure_run(jumps + exposure_of_set + european_on_h, 8 * 4096));
  } catch (const InputError& error) {
    text = error.what();
  }
  CAPTURE(text);
  CHECK(text.find("jump_intensity") != std::string::npos);
  CHECK(text.find("200") != std::string::npos);
}
