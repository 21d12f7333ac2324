#include "src/modules/pricing/checks/portfolio_input.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {

void check_is_double_without_greeks(const PricingOptions& o, const std::string& module,
                                    const std::string& greeks_instead) {
  if (o.sampling == Sampling::sobol)
    throw ConfigError(o.sampling_at, fmt::format("the module {} does not use Sobol points", module),
                      "leave pricing.sampling out");
  GSIM_VALIDATE(!o.greeks.any(),
                fmt::format("pricing.greeks: the module {} estimates no Greeks", module),
                "leave it out, or use module = \"pricing\"" + greeks_instead);
  GSIM_VALIDATE(o.total_error == 0,
                fmt::format("pricing.total_error: the module {} has other estimates", module),
                "leave it out, or use module = \"pricing\"");
  GSIM_VALIDATE(
      o.precision == Precision::float64,
      fmt::format("pricing.precision: the module {} simulates in double precision", module),
      "leave pricing.precision out");
}

void check_no_trade_targets(const std::vector<TradeConfig>& trades, const std::string& module) {
  for (const TradeConfig& t : trades)
    if (t.target_error > 0)
      throw ConfigError(t.source.location(),
                        fmt::format("trade `{}`: target_error: the module {} estimates no prices "
                                    "that could meet it",
                                    excerpt(t.id), module),
                        "leave it out, or use module = \"pricing\"");
}

void report_doubtful_input(const PricingConfig& config, const PricingSetup& setup,
                           const SampledValues& values, const Context& context,
                           const std::string& skipped_warning, WorkPlan& plan) {
  const std::vector<std::string> risks = sampling_risks(config, setup, values);
  for (const SkippedTrade& t : config.skipped) {
    plan.notes.push_back(fmt::format("skipped: {}", t.reason));
    plan.skipped.push_back({t.id, t.reason});
  }
  if (!context.warn) return;
  for (const std::string& risk : risks) context.warn(risk);
  for (const std::string& warning : config.market.warnings) context.warn(warning);
  if (!config.skipped.empty()) context.warn(skipped_warning);
}

}  // namespace gsim::pricing
