#include "src/modules/pricing/greeks/greek_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

constexpr std::string_view kind_names[greek_kinds] = {
    "delta", "gamma", "cross_gamma", "vega", "vega_buckets", "theta", "rho", "rho_pillars"};

void describe_bumps(Section& s, GreekBumps& b) {
  s.optional(
      "spot", b.spot,
      {.doc = "relative change of the spot up and down, for gamma, cross_gamma, and delta by "
              "bumps",
       .minimum = 1e-6,
       .maximum = 0.5});
  s.optional("volatility", b.volatility,
             {.doc = "change of the volatility up and down, for vega by bumps",
              .unit = "1/sqrt(year)",
              .minimum = 1e-6,
              .maximum = 0.5});
  s.optional("rate", b.rate,
             {.doc = "change of the rate up and down, for rho by bumps",
              .unit = "1/year",
              .minimum = 1e-6,
              .maximum = 0.5});
  s.optional("time", b.time,
             {.doc = "time that passes forwards and backwards, for theta by bumps; at most half of "
                     "the time to the portfolio's first date is used",
              .unit = "years",
              .minimum = 1e-6,
              .maximum = 0.5});
}

}  // namespace

std::string_view name_of(GreekKind kind) { return kind_names[static_cast<int>(kind)]; }

bool GreekOptions::has(GreekKind kind) const {
  return std::find(words.begin(), words.end(), name_of(kind)) != words.end();
}

void describe_greeks(Section& s, GreekOptions& o) {
  static constexpr std::string_view methods[] = {"auto", "bump", "likelihood_ratio"};
  s.optional(
      "greeks", o.words,
      {.doc =
           "derivatives of every price, with standard errors: \"delta\", \"gamma\", "
           "\"cross_gamma\" (per unit of spot), \"vega\" (per 1.00 of volatility; for heston and "
           "bates of sqrt(v0) and sqrt(theta) together), \"vega_buckets\" (by pillar of the "
           "volatility), \"theta\" (per year that passes at constant spots), \"rho\" (per 1.00 of "
           "the continuously compounded rate), \"rho_pillars\" (by pillar of the rate curve)"});
  s.optional(
      "greeks_method", o.method, methods,
      {.doc =
           "estimation of Greeks: \"auto\": pathwise derivatives where payoff and model "
           "allow it, otherwise bumps; \"bump\": central differences of prices on the same "
           "random numbers, with the sizes in [pricing.bumps]; \"likelihood_ratio\": of digitals "
           "and discretely monitored barriers under black_scholes derivatives of the density of "
           "the path, which are unbiased but have larger errors; otherwise as \"auto\""});
  s.optional_table(
      "bumps", [&](Section& t) { describe_bumps(t, o.bumps); }, "sizes of bumps for Greeks");
}

void validate_greeks(const Section& s, const GreekOptions& o) {
  const std::vector<std::string> known(std::begin(kind_names), std::end(kind_names));
  for (std::size_t i = 0; i < o.words.size(); ++i) {
    const std::string& word = o.words[i];
    if (std::find(known.begin(), known.end(), word) == known.end())
      s.fail("greeks", fmt::format("`{}` is no Greek", excerpt(word)),
             suggest_known(word, known, "the Greeks are"));
    if (std::find(o.words.begin(), o.words.begin() + static_cast<Index>(i), word) !=
        o.words.begin() + static_cast<Index>(i))
      s.fail("greeks", fmt::format("`{}` appears twice", word), "leave one of them out");
  }
}

}  // namespace gsim::pricing
