#include "src/modules/pricing/greeks/greeks.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/greeks/adjoint_plan.hpp"
#include "src/modules/pricing/results/column.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

/// Whether the control's samples vary by more than rounding errors.
bool varies(const std::vector<BlockStatistics>& replicates, double rounding) {
  double squares = 0, count = 0;
  for (const BlockStatistics& s : replicates) {
    squares += s.m_yy;
    count += s.count;
  }
  return squares > rounding * rounding * count;
}

/// The fewest samples that contribute to what the control variate of a Greek leaves; with fewer its
/// error is that without the control variate. With three a widened error keeps its coverage: where
/// up to 200 of 4096 samples differ from the control, by exponentially distributed amounts, at most
/// 4 % of the 95 % intervals miss. Prices need more, because runs end at their targets.
constexpr double fewest_contributing = 3;

const char* unit_of(GreekKind kind) {
  switch (kind) {
    case GreekKind::delta:
      return "currency per unit of spot";
    case GreekKind::gamma:
    case GreekKind::cross_gamma:
      return "currency per unit of spot squared";
    case GreekKind::vega:
    case GreekKind::vega_buckets:
      return "currency per 1.00 of volatility";
    case GreekKind::theta:
      return "currency per year";
    case GreekKind::rho:
    case GreekKind::rho_pillars:
      return "currency per 1.00 of rate";
  }
  return "";
}

}  // namespace

Greeks::Greeks(const PricingConfig& config, const PricingSetup& setup, const Context& context,
               const SampleSums& sums)
    : config_(&config), setup_(&setup), context_(&context), sums_(&sums) {
  KindsWithoutSweep without_sweep(config.trades.size());
  for (bool is_complete = false; !is_complete;) {
    plan_ = plan_greeks(config, setup, without_sweep);
    if (empty()) return;
    simulations_ = set_up_greeks(plan_, config, setup);
    controls_ = greek_controls(plan_, simulations_);
    use_adjoints(config, plan_, simulations_);
    is_complete = true;
    for (const GreekInfo& g : plan_.greeks) {
      if (!g.needs_sweep || g.is_swept) continue;
      without_sweep[static_cast<std::size_t>(g.trade)] |= 1U << static_cast<unsigned>(g.kind);
      is_complete = false;
    }
  }
}

IndexRange Greeks::range() const {
  const auto first = static_cast<Index>(config_->trades.size());
  return {first, first + static_cast<Index>(plan_.greeks.size())};
}

bool Greeks::has_prices() const {
  return !empty() && config_->options.precision == Precision::float64;
}

PathEngine& Greeks::engine() {
  if (!engine_) {
    engine_ = make_greeks_engine(context_->executor, plan_, simulations_, range().first);
    simulations_ = {};
  }
  return *engine_;
}

SampleSource Greeks::source(const std::vector<std::uint8_t>& active,
                            const std::vector<std::uint8_t>& priced) {
  SampleSource source{[this]() -> PathEngine& { return engine(); }, {}, priced};
  source.trades.resize(static_cast<std::size_t>(range().last));
  std::iota(source.trades.begin(), source.trades.end(), Index{0});
  for (const GreekInfo& g : plan_.greeks)
    source.active.push_back(active[static_cast<std::size_t>(g.trade)]);
  return source;
}

std::string Greeks::not_finite() const {
  if (empty()) return {};
  const std::vector<Index> list = sums_->not_finite(range());
  if (list.empty()) return {};
  const Index first = list.front() - range().first;
  const GreekInfo& g = plan_.greeks[static_cast<std::size_t>(first)];
  return fmt::format("{} of trade `{}`", name(first),
                     excerpt(config_->trades[static_cast<std::size_t>(g.trade)].id));
}

bool Greeks::is_certain(const GreekInfo& g) const {
  const bool depends_on_volatility = g.kind == GreekKind::vega || g.kind == GreekKind::vega_buckets;
  const auto t = static_cast<std::size_t>(g.trade);
  const TradeSetup& trade = setup_->simulation.trades[t];
  const bool exercised_today = trade.exercise != nullptr && trade.exercise->policy.exercised_today;
  // Swaps and bonds without options are worth the same at any volatility of the rate, and forwards
  // have the value of the spot that is their control variate.
  const bool has_no_option =
      trade.exercise == nullptr && (are_certain(trade) || is_linear_in_spot(trade));
  return setup_->is_certain[t] != 0 &&
         (!depends_on_volatility || trade.hit_already || exercised_today || has_no_option ||
          config_->trades[t].quantity == 0);
}

PriceEstimate Greeks::estimate(Index index, const std::vector<std::uint8_t>& failed) const {
  const auto i = static_cast<std::size_t>(index);
  const GreekInfo& g = plan_.greeks[i];
  const auto t = static_cast<std::size_t>(g.trade);
  PriceEstimate e;
  if (failed[t] == 0) {
    const std::vector<BlockStatistics> sums = sums_->of_trade(range().first + index);
    TradeSetup setup;
    if (controls_[i].exists && varies(sums, controls_[i].rounding))
      setup.control = TradeSetup::Control::spot;
    setup.control_expectation = controls_[i].expectation;
    e = estimate_price(sums, setup, config_->trades[t].quantity, config_->options.confidence,
                       is_certain(g), fewest_contributing);
    // The samples of its statistics are means over batches.
    if (g.is_swept) e.samples *= setup_->simulation.block_samples / batches_of_block;
    if (std::isfinite(e.price)) return e;
  }
  e.price = e.standard_error = e.half_width = std::numeric_limits<double>::quiet_NaN();
  return e;
}

std::string Greeks::name(Index index) const {
  const GreekInfo& g = plan_.greeks[static_cast<std::size_t>(index)];
  std::string text(name_of(g.kind));
  for (const Index a : {g.asset, g.second_asset})
    if (a >= 0) text += " " + config_->market.assets[static_cast<std::size_t>(a)].name;
  return g.bucket.empty() ? text : text + " " + g.bucket;
}

std::string Greeks::remark(Index index, const PriceEstimate& e,
                           const std::vector<std::uint8_t>& failed) const {
  const GreekInfo& g = plan_.greeks[static_cast<std::size_t>(index)];
  if (failed[static_cast<std::size_t>(g.trade)] != 0)
    return "skipped: a payoff or the price was not a finite number";
  if (std::isnan(e.price)) return "a sample was not a finite number";
  if (is_certain(g)) return "certain";
  if (e.kind == ErrorKind::no_variance) return "error unknown: all samples are equal";
  if (e.contributing_samples < min_contributing_samples)
    return "few samples contribute; use more samples or larger bumps";
  return {};
}

void Greeks::write(DatasetWriter& w, const std::vector<std::uint8_t>& failed) const {
  if (empty()) return;
  const std::vector<GreekInfo>& greeks = plan_.greeks;
  const auto asset_name = [&](Index a) {
    return a < 0 ? std::string() : config_->market.assets[static_cast<std::size_t>(a)].name;
  };
  std::vector<PriceEstimate> estimates;
  for (Index i = 0; i < static_cast<Index>(greeks.size()); ++i)
    estimates.push_back(estimate(i, failed));
  w.write_strings("greeks/trade", column<std::string>(greeks, [&](const GreekInfo& g) {
                    return config_->trades[static_cast<std::size_t>(g.trade)].id;
                  }));
  w.write_strings("greeks/greek", column<std::string>(greeks, [](const GreekInfo& g) {
                    return std::string(name_of(g.kind));
                  }));
  w.write_strings("greeks/asset", column<std::string>(greeks, [&](const GreekInfo& g) {
                    return asset_name(g.asset);
                  }));
  w.write_strings("greeks/second_asset", column<std::string>(greeks, [&](const GreekInfo& g) {
                    return asset_name(g.second_asset);
                  }));
  w.write_strings("greeks/bucket",
                  column<std::string>(greeks, [](const GreekInfo& g) { return g.bucket; }));
  w.write("greeks/value", column<double>(estimates, [](auto& e) { return e.price; }));
  w.write("greeks/standard_error",
          column<double>(estimates, [](auto& e) { return e.standard_error; }));
  w.write("greeks/ci_low",
          column<double>(estimates, [](auto& e) { return e.price - e.half_width; }));
  w.write("greeks/ci_high",
          column<double>(estimates, [](auto& e) { return e.price + e.half_width; }));
  w.write("greeks/samples", column<std::int64_t>(estimates, [](auto& e) { return e.samples; }));
  w.write_strings("greeks/method", column<std::string>(greeks, [](const GreekInfo& g) {
                    return std::string(name_of(g.form));
                  }));
  w.write_strings("greeks/unit", column<std::string>(greeks, [](const GreekInfo& g) {
                    return std::string(unit_of(g.kind));
                  }));
}

void Greeks::write_remarks(DatasetWriter& w, const std::vector<std::uint8_t>& failed) const {
  if (empty()) return;
  std::vector<std::string> remarks;
  for (Index i = 0; i < static_cast<Index>(plan_.greeks.size()); ++i)
    remarks.push_back(remark(i, estimate(i, failed), failed));
  w.write_strings("greeks/remark", remarks);
  const std::string confidence =
      fmt::format("{:g} % confidence interval", 100 * config_->options.confidence);
  w.attribute(
      "greeks/value", "description",
      "derivative of the price of the whole quantity; theta: time passes at constant spots");
  w.attribute("greeks/bucket", "description",
              "pillar of the volatility or of the rate curve, years; empty: all");
  w.attribute("greeks/ci_low", "description", "lower end of the " + confidence);
  w.attribute("greeks/ci_high", "description", "upper end of the " + confidence);
  w.attribute("greeks/samples", "unit", "samples");
  w.attribute("greeks/standard_error", "description", "NaN: unknown; see remark");
}

}  // namespace gsim::pricing
