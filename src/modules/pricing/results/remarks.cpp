#include "src/modules/pricing/results/remarks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"

namespace gsim::pricing {
namespace {

// In standard errors; exceeded by chance once in two million trades.
constexpr double significant_deviation = 5;

const AssetConfig& asset_of(const PricingConfig& config, Index i) {
  return config.market.assets[static_cast<std::size_t>(i)];
}

// Sobol points are not independent, so that their number gives no bound on the probability of
// another payoff.
std::string unknown_error(const PricingConfig& config, const PriceEstimate& e) {
  const bool none = e.price == 0;
  std::string text =
      none ? fmt::format("none of {} samples paid: the error is unknown", e.samples)
           : fmt::format("all {} samples paid the same: the error is unknown", e.samples);
  if (config.options.sampling == Sampling::pseudo_random)
    text += fmt::format(", at most 3 in {} pay{} (95 % confidence)", e.samples,
                        none ? "" : " otherwise");
  return text;
}

std::string error_remark(const PricingConfig& config, const PriceEstimate& e) {
  switch (e.kind) {
    case ErrorKind::no_variance:
      return unknown_error(config, e);
    case ErrorKind::control_explains_all:
      return fmt::format(
          "the control variate explains all but few of {} samples: the error is that without it",
          e.samples);
    case ErrorKind::sampled:
      if (e.contributing_samples < min_contributing_samples)
        return fmt::format(
            "about {:.0f} of {} samples contribute to the price: the error is widened, and meets "
            "no target",
            std::fmax(1, e.contributing_samples), e.samples);
      break;
  }
  return {};
}

// Smaller prices are of no practical interest, and few samples contribute to them.
constexpr double smallest_relevant_price = 1e-30;

// Why a trade does not meet the targets of the run, and what to change.
std::string target_remark(const RunLimits& limits, const TradeState& s) {
  const PriceEstimate& e = *s.estimate;
  if (!limits.stop.has_error_target() || s.has_converged || e.samples == 0) return {};
  if (limits.stop.relative_error > 0 && std::fabs(e.price) < smallest_relevant_price)
    return fmt::format(
        "the price is {}: stop.relative_error has no meaning for it; set stop.absolute_error "
        "alone, to the error that matters",
        e.price == 0 ? "0 so far" : "below 1e-30");
  // Twice the estimated number, because the error of the first samples is itself uncertain.
  const double needed_samples = samples_to_targets(e, limits.stop);
  if (limits.samples == 0 || !(needed_samples > 2 * static_cast<double>(limits.samples))) return {};
  const char* remedy =
      s.trade->target_error > 0 ? "raise the trade's target_error or stop.samples"
      : limits.stop.relative_error > 0
          ? "set stop.absolute_error instead of stop.relative_error, or raise stop.samples"
          : "raise stop.absolute_error or stop.samples";
  return fmt::format("its error target needs about {} samples, and this run makes at most {}: {}",
                     human_number(needed_samples, 2), limits.samples, remedy);
}

std::string underlying(const PricingConfig& config, const TradeConfig& t) {
  std::string names;
  for (const Index i : t.assets)
    if (asset_of(config, i).first_factor < 0)
      names += (names.empty() ? "`" : ", `") + excerpt(asset_of(config, i).name) + "`";
  return names;
}

std::string likely_cause(const PricingConfig& config, const TradeConfig& t) {
  bool jumps = false;
  for (const Index i : t.assets) {
    const AssetConfig& a = asset_of(config, i);
    jumps |= a.jump_intensity > 0 && functions_of(a).has_jumps;
  }
  std::string cause;
  if (is_discretised(config, t))
    cause = fmt::format("the steps are too long (pricing.steps_per_year = {:g}: try {:g})",
                        config.options.steps_per_year, 2 * config.options.steps_per_year);
  if (!cause.empty()) cause += ", or ";
  return cause + (jumps ? "the mean is dominated by jumps that are rare in these samples"
                        : "the mean is dominated by paths that are rare in these samples");
}

}  // namespace

double samples_to_targets(const PriceEstimate& e, const StopRule& stop) {
  double factor = std::numeric_limits<double>::quiet_NaN();  // ignored by fmax
  if (stop.absolute_error > 0) factor = square(e.standard_error / stop.absolute_error);
  if (stop.relative_error > 0)
    factor = std::fmax(factor, square(e.standard_error / (stop.relative_error * e.price)));
  return factor * static_cast<double>(e.samples);
}

std::string remark(const PricingConfig& config, const RunLimits& limits, const TradeState& s) {
  if (s.has_failed) return "skipped: a payoff or the price was not a finite number";
  if (s.trade->quantity == 0) return "certain: the quantity is 0";
  if (s.is_certain) return "certain";
  std::string text = error_remark(config, *s.estimate);
  const auto add = [&](const std::string& more) {
    text += text.empty() || more.empty() ? more : "; " + more;
  };
  add(target_remark(limits, s));
  if (std::fabs(s.deviation) > significant_deviation)
    add(fmt::format("biased: its control variate is {:.0f} standard errors from its known value",
                    std::fabs(s.deviation)));
  if (is_discretised(config, *s.trade))
    add(fmt::format("discretised at {:g} steps a year", config.options.steps_per_year));
  return text;
}

std::string discretisation_note(const PricingConfig& config) {
  const auto n = std::count_if(config.trades.begin(), config.trades.end(),
                               [&](const TradeConfig& t) { return is_discretised(config, t); });
  if (n == 0) return {};
  const double steps = config.options.steps_per_year;
  return fmt::format(
      "{} discretised at {:g} steps a year: the standard errors do not include the discretisation "
      "bias; run again with pricing.steps_per_year = {:g} to estimate it",
      n == 1 ? "1 trade" : fmt::format("{} trades", n), steps, 2 * steps);
}

std::vector<std::string> bias_warnings(const PricingConfig& config,
                                       std::span<const TradeState> states) {
  struct Worst {
    const TradeState* state = nullptr;
    Index trades = 0;
  };
  std::map<std::vector<Index>, Worst> by_assets;
  for (const TradeState& s : states) {
    if (s.is_certain || !(std::fabs(s.deviation) > significant_deviation)) continue;
    Worst& worst = by_assets[s.trade->assets];
    ++worst.trades;
    if (worst.state == nullptr || std::fabs(s.deviation) > std::fabs(worst.state->deviation))
      worst.state = &s;
  }
  std::vector<std::string> warnings;
  for (const auto& [assets, worst] : by_assets) {
    const TradeState& s = *worst.state;
    const bool spot = s.setup->control == TradeSetup::Control::spot;
    warnings.push_back(fmt::format(
        "{}: the samples' mean of {} lies {:.0f} standard errors from its known value{}; likely "
        "{}; "
        "do not trust the prices and errors of trade `{}`{}",
        underlying(config, *s.trade), spot ? "the discounted spot" : "a control variate",
        std::fabs(s.deviation), spot ? " (it should be a martingale)" : "",
        likely_cause(config, *s.trade), s.trade->id,
        worst.trades > 1 ? fmt::format(" and {} more", worst.trades - 1) : ""));
  }
  return warnings;
}

}  // namespace gsim::pricing
