#pragma once
// A payoff and a path model of a plugin: copies of European options and of the Black-Scholes model
// (tests/plugin/copies).

#include <span>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/math/elementary.hpp"
#include "gsim/pricing/path_model_kind.hpp"
#include "gsim/pricing/payoff_kind.hpp"

GSIM_DECLARE_PAYOFF(european_copy)
GSIM_DECLARE_PATH_MODEL(black_scholes_copy)

namespace gsim::pricing::test {

inline const PayoffKind european_copy{.name = "european_copy",
                                      .doc = "pays max(S - strike, 0)",
                                      .describe =
                                          [](Section& s, KeyValues& values) {
                                            // 1 for a call, the strike, 1 / number of fixings
                                            values.numbers = {1, 0, 1};
                                            s.required("strike", values.numbers[1],
                                                       {.doc = "strike price"});
                                          },
                                      .launchers = GSIM_PAYOFF(european_copy)};

inline const PathModelKind black_scholes_copy{
    .name = "black_scholes_copy",
    .doc = "geometric Brownian motion",
    .describe =
        [](Section& s, KeyValues& values) {
          double volatility = 0;
          s.required("volatility", volatility, {.doc = "volatility"});
          values.numbers = {volatility * volatility};
        },
    .step_numbers =
        [](std::span<const double> numbers, const PathStep& step) {
          const double variance = numbers[0] * (step.to - step.from);
          return std::vector<double>{step.carry - 0.5 * variance, gsim::sqrt(variance)};
        },
    .launchers = GSIM_PATH_MODEL(black_scholes_copy)};

}  // namespace gsim::pricing::test
