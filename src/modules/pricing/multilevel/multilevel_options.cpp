#include "src/modules/pricing/multilevel/multilevel_options.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {
namespace {

constexpr Index largest_step_count = 1 << 16;

bool has_product(const TradeConfig& t, std::string_view name) { return t.payoff->name == name; }

[[noreturn]] void refuse(const TradeConfig& t, const std::string& reason,
                         const std::string& advice) {
  throw ConfigError(t.source.location(), fmt::format("trade `{}`: {}", excerpt(t.id), reason),
                    advice);
}
const char* const other_module = "price it with module = \"pricing\"";

/// Fixings must be dates of the paths on all levels that have at least as many steps.
void check_fixings(const MultilevelOptions& o, const TradeConfig& t) {
  const auto n = static_cast<Index>(t.fixings.size());
  for (Index k = 0; k < n; ++k) {
    const double date = t.maturity * static_cast<double>(k + 1) / static_cast<double>(n);
    if (std::fabs(t.fixings[static_cast<std::size_t>(k)] - date) > 10 * same_date)
      refuse(t, "multilevel Monte Carlo needs equally spaced fixings that end at the maturity",
             other_module);
  }
  Index steps = o.first_steps;
  while (steps < n && steps <= largest_step_count) steps *= o.refinement;
  if (steps % n != 0 || (o.first_steps < n && steps != n))
    refuse(t,
           fmt::format("its {} fixings are not dates of levels with {} × {}^level steps", n,
                       o.first_steps, o.refinement),
           "choose multilevel.first_steps such that the number of fixings is that of a level, or "
           "divides first_steps");
}

/// Lognormal paths are exact at all dates, and between them by the Brownian bridge.
void check_lognormal(const MultilevelOptions& o, const TradeConfig& t) {
  const bool is_coarse =
      has_product(t, "asian") && o.first_steps < static_cast<Index>(t.fixings.size());
  if (!is_coarse)
    refuse(t,
           "paths of model black_scholes are exact at any dates and have no bias of time steps, so "
           "that multilevel Monte Carlo has nothing to gain",
           "price it with module = \"pricing\" (averages over many fixings: a smaller "
           "multilevel.first_steps)");
}

void check_product(const MultilevelOptions& o, const TradeConfig& t) {
  if (t.exercise.is_early())
    refuse(t, "multilevel Monte Carlo has no early exercise", other_module);
  const bool is_known = has_product(t, "european") || has_product(t, "digital") ||
                        has_product(t, "asian") || has_product(t, "lookback") ||
                        has_product(t, "barrier");
  if (!is_known || t.assets.size() != 1)
    refuse(t,
           "multilevel Monte Carlo supports the products european, digital, asian, lookback and "
           "barrier on one asset",
           other_module);
  if ((has_product(t, "lookback") || has_product(t, "barrier")) && !t.continuous)
    refuse(t, "multilevel Monte Carlo supports continuous monitoring only", other_module);
  if (has_product(t, "barrier") && (t.rebate != 0 || t.touched))
    refuse(t, "multilevel Monte Carlo supports barriers without rebate that were not touched",
           other_module);
  if (has_product(t, "digital") && t.pays_asset)
    refuse(t, "multilevel Monte Carlo supports digitals that pay cash", other_module);
  if (has_product(t, "asian")) {
    if (t.geometric || t.average_strike || !t.past_fixings.empty())
      refuse(t,
             "multilevel Monte Carlo supports arithmetic averages of future fixings against a "
             "fixed strike",
             other_module);
    check_fixings(o, t);
  }
}

void check_model(const MultilevelOptions& o, const PricingConfig& config, const TradeConfig& t) {
  const AssetConfig& asset = underlying_of(config, t);
  if (t.currency != base_currency || asset.currency != base_currency || asset.converted)
    refuse(t, "multilevel Monte Carlo supports assets and payments in the base currency",
           other_module);
  if (!asset.dividends.empty())
    refuse(t,
           fmt::format("multilevel Monte Carlo has no discrete dividends, and `{}` pays some",
                       excerpt(asset.name)),
           "give a dividend yield, or " + std::string(other_module));
  const std::string_view model = asset.model->name;
  if (model == "black_scholes") return check_lognormal(o, t);
  if (model != "heston" && model != "local_volatility")
    refuse(t,
           fmt::format("multilevel Monte Carlo supports the models heston, local_volatility and "
                       "black_scholes; `{}` has another one",
                       excerpt(asset.name)),
           other_module);
}

void check_options(const PricingOptions& p) {
  const auto refuse_key = [](bool is_set, const char* key) {
    GSIM_VALIDATE(!is_set,
                  fmt::format("pricing.{}: the module multilevel does not support it", key),
                  "leave it out, or use module = \"pricing\"");
  };
  refuse_key(p.greeks.any(), "greeks");
  refuse_key(p.precision != Precision::float64, "precision");
  refuse_key(p.antithetic, "antithetic");
  refuse_key(p.conditional, "conditional");
  refuse_key(p.total_error > 0, "total_error");
  refuse_key(p.on_error == OnError::skip, "on_error");
  GSIM_VALIDATE(
      p.steps_per_year == PricingOptions{}.steps_per_year,
      "pricing.steps_per_year: the steps of the module multilevel are those of its levels",
      "leave it out, and set multilevel.first_steps and multilevel.levels");
}

void describe_options(Section& s, MultilevelOptions& o) {
  s.required("target", o.target,
             {.doc = "target root-mean-square error of the value of each trade, half of its square "
                     "for the variance and half for the bias; a trade's target_error replaces it",
              .unit = "currency",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("refinement", o.refinement,
             {.doc = "ratio of the numbers of time steps of two levels, 2 or 4",
              .minimum = 2,
              .maximum = 4});
  s.optional("first_steps", o.first_steps,
             {.doc = "number of time steps of the coarsest level", .minimum = 1, .maximum = 4096});
  s.optional("levels", o.levels, {.doc = "largest number of levels", .minimum = 3, .maximum = 16});
}

void validate_options(const Section& s, const MultilevelOptions& o) {
  if (o.refinement == 3) s.fail("refinement", "the ratio must be 2 or 4");
  if (steps_of(o, o.levels - 1) > largest_step_count)
    s.fail("levels", fmt::format("the finest level would have {} steps, more than {}",
                                 steps_of(o, o.levels - 1), largest_step_count));
}

}  // namespace

std::vector<std::string> unused_options(const PricingOptions& p) {
  const PricingOptions d;
  std::vector<std::string> warnings;
  const auto warn_of = [&](bool is_set, const char* key, const char* reason) {
    if (is_set)
      warnings.push_back(
          fmt::format("pricing.{} has no effect on the module multilevel, {}", key, reason));
  };
  const auto same_exercise = [](const ExerciseOptions& a, const ExerciseOptions& b) {
    return a.dates_per_year == b.dates_per_year && a.paths == b.paths && a.degree == b.degree &&
           a.in_the_money == b.in_the_money && a.upper_bound == b.upper_bound &&
           a.outer_paths == b.outer_paths && a.inner_paths == b.inner_paths;
  };
  const GreekBumps &a = p.greeks.bumps, &b = d.greeks.bumps;
  warn_of(a.spot != b.spot || a.volatility != b.volatility || a.rate != b.rate || a.time != b.time,
          "bumps", "which estimates no Greeks");
  warn_of(p.control_variates != d.control_variates, "control_variates", "which uses none");
  warn_of(p.importance_sampling != d.importance_sampling, "importance_sampling", "which uses none");
  warn_of(!same_exercise(p.exercise, d.exercise), "exercise", "which has no early exercise");
  if (p.sampling != Sampling::sobol) {
    warn_of(p.replicates != d.replicates, "replicates", "without sampling = \"sobol\"");
    warn_of(p.brownian_bridge != d.brownian_bridge, "brownian_bridge",
            "without sampling = \"sobol\"");
  }
  return warnings;
}

const AssetConfig& underlying_of(const PricingConfig& config, const TradeConfig& trade) {
  return config.market.assets[static_cast<std::size_t>(trade.assets.front())];
}

double target_of(const MultilevelOptions& o, const TradeConfig& trade) {
  return trade.target_error > 0 ? trade.target_error : o.target;
}

Index steps_of(const MultilevelOptions& o, Index level) {
  Index steps = o.first_steps;
  for (Index l = 0; l < level && steps <= largest_step_count; ++l) steps *= o.refinement;
  return steps;
}

bool has_no_bias(const MultilevelOptions& o, const PricingConfig& config, const TradeConfig& trade,
                 Index level) {
  return underlying_of(config, trade).model->name == std::string_view("black_scholes") &&
         steps_of(o, level) >= static_cast<Index>(trade.fixings.size());
}

bool has_certain_level(const MultilevelOptions& o, const PricingConfig& config,
                       const TradeConfig& trade, Index level) {
  return has_product(trade, "digital") && steps_of(o, level) == 1 &&
         !functions_of(underlying_of(config, trade)).has_own_variance;
}

Index finest_level(const MultilevelOptions& o, const PricingConfig& config,
                   const TradeConfig& trade) {
  Index level = 0;
  while (level < o.levels - 1 && !has_no_bias(o, config, trade, level)) ++level;
  return level;
}

void describe_multilevel(Section& top, const PricingConfig& config, MultilevelOptions& o) {
  o = {};
  top.required_table("multilevel",
                     validated([&](Section& s) { describe_options(s, o); },
                               [&](const Section& s) {
                                 validate_options(s, o);
                                 check_options(config.options);
                                 for (const TradeConfig& t : config.trades) {
                                   check_product(o, t);
                                   check_model(o, config, t);
                                 }
                               }),
                     "multilevel Monte Carlo (Giles 2008)");
}

}  // namespace gsim::pricing
