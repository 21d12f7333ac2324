// The value of the whole portfolio: its error, its target, and which trades are sampled for it.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/engine/contributing_samples.hpp"
#include "src/modules/pricing/pricing_module.hpp"
#include "src/modules/pricing/results/amount.hpp"

namespace gsim::pricing {
namespace {

/// The cost of a sample of a trade, in units of a payoff's work at one date: an asset's path, whose
/// cost its trades share, takes about eight of them per normal and step; measured on a host.
double cost_of(const TradeSetup& trade, const Simulation& s, const std::vector<Index>& readers) {
  constexpr double path_step = 8;
  double cost = 1 + static_cast<double>(trade.records.size());
  for (const Index a : trade.assets) {
    const auto i = static_cast<std::size_t>(a);
    cost += path_step * static_cast<double>(s.assets[i].normals) *
            static_cast<double>(s.grid.times.size()) / static_cast<double>(readers[i]);
  }
  return cost;
}

}  // namespace

bool PricingModule::rests(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  return has_total_target() ? resting_[i] != 0 : converged_[i] != 0;
}

std::vector<PortfolioTrade> PricingModule::portfolio_trades() const {
  const Simulation& s = setup_.simulation;
  std::vector<Index> readers(s.assets.size(), 0);
  for (const TradeSetup& t : s.trades)
    for (const Index a : t.assets) ++readers[static_cast<std::size_t>(a)];
  std::vector<PortfolioTrade> list(config_.trades.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const PriceEstimate& e = current_[i];
    if (failed_[i] != 0) continue;
    const bool is_widened =
        e.kind != ErrorKind::sampled || error_widening(e.contributing_samples) > 1;
    list[i] = {.is_counted = true,
               .value = e.price,
               .quantity = config_.trades[i].quantity,
               .beta = e.beta,
               .standard_error = e.standard_error,
               .is_widened = setup_.is_certain[i] == 0 && is_widened,
               .cost = cost_of(s.trades[i], s, readers)};
  }
  return list;
}

void PricingModule::update_total() {
  const std::vector<PortfolioTrade> trades = portfolio_trades();
  total_.estimate = PortfolioError(sums_, trades).value();
}

bool PricingModule::meets_total_target() const {
  const PortfolioValue& total = total_.estimate;
  // An unknown error may be of any size. All errors are known where the total has none: opposite
  // positions cancel, or all trades are certain.
  if (total.unknown_errors > 0 || total.counted == 0) return false;
  if (total.standard_error == 0) return true;
  StopRule rule;
  rule.absolute_error = config_.options.total_error;
  Estimate e;
  e.mean = total.value;
  e.standard_error = total.standard_error;
  e.degrees_of_freedom = total.degrees_of_freedom;
  return e.degrees_of_freedom > 0 && rule.converged(e);
}

void PricingModule::choose_resting() {
  // Trades rest only where the spread of batches is known well enough, and never with Sobol points,
  // whose sets would have gaps.
  const bool may_rest =
      setup_.simulation.replicates == 1 && total_.estimate.degrees_of_freedom >= min_degrees;
  std::vector<std::uint8_t> chosen(config_.trades.size(), 0);
  if (may_rest) {
    const std::vector<PortfolioTrade> trades = portfolio_trades();
    chosen = PortfolioError(sums_, trades).resting(config_.options.total_error);
  }
  for (Index t = 0; t < trade_count(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    // A trade with a target of its own is sampled until it has met that.
    if (targets(t).has_error_target() && converged_[i] == 0) chosen[i] = 0;
    if (total_.has_converged && (converged_[i] != 0 || !targets(t).has_error_target()))
      chosen[i] = 1;
  }
  if (chosen == resting_) return;
  resting_ = chosen;
  engine_.reset();  // without the assets that are no longer needed
}

std::vector<std::uint8_t> PricingModule::unused_assets() const {
  if (!has_total_target()) return {};
  std::vector<std::uint8_t> unused(setup_.simulation.assets.size(), 1);
  for (Index t = 0; t < trade_count(); ++t) {
    if (rests(t) || tilted_.is_tilted(t)) continue;
    for (const Index a : setup_.simulation.trades[static_cast<std::size_t>(t)].assets)
      unused[static_cast<std::size_t>(a)] = 0;
  }
  return unused;
}

Estimate PricingModule::total_estimate() const {
  Estimate e;
  e.name = "total value";
  e.mean = total_.estimate.value;
  e.standard_error = total_.estimate.standard_error;
  for (const PriceEstimate& trade : current_) e.count = std::max(e.count, trade.samples);
  e.unit = "currency";
  e.converged = total_.has_converged;
  e.degrees_of_freedom = total_.estimate.degrees_of_freedom;
  return e;
}

void PricingModule::add_total(Evaluation& result) const {
  StopRule rule;
  rule.absolute_error = config_.options.total_error;
  result.add(total_estimate(), rule);
}

void PricingModule::write_total(DatasetWriter& w) const {
  const PortfolioValue& total = total_.estimate;
  const double half_width =
      student_quantile(0.5 + 0.5 * config_.options.confidence, total.degrees_of_freedom) *
      total.standard_error;
  w.write("total/value", std::vector<double>{total.value});
  w.write("total/standard_error", std::vector<double>{total.standard_error});
  w.write("total/degrees_of_freedom", std::vector<std::int64_t>{total.degrees_of_freedom});
  w.write("total/ci_low", std::vector<double>{total.value - half_width});
  w.write("total/ci_high", std::vector<double>{total.value + half_width});
  w.write("total/trades", std::vector<std::int64_t>{total.counted});
  w.write("total/unknown_errors", std::vector<std::int64_t>{total.unknown_errors});
  w.write("total/left_out", std::vector<std::int64_t>{static_cast<std::int64_t>(skipped().size())});
  w.write("total/converged", std::vector<std::uint8_t>{std::uint8_t{total_.has_converged}});
  for (const char* name : {"value", "standard_error", "ci_low", "ci_high"})
    w.attribute(std::string("total/") + name, "unit", "currency");
  w.attribute("total/value", "description", "value today of all trades that are priced");
  w.attribute(
      "total/standard_error", "description",
      "with the correlation of the trades' errors, from totals of batches of samples; it does "
      "not include the errors that are unknown");
  w.attribute(
      "total/unknown_errors", "description",
      "number of trades whose errors are unknown, for example because all samples are equal; "
      "the target is not met then");
  w.attribute("total/left_out", "description", "number of trades that are skipped");
}

std::string PricingModule::total_text() const {
  const PortfolioValue& total = total_.estimate;
  const int decimals = decimals_of(total.standard_error);
  double samples = 0, most = 0;
  for (const PriceEstimate& e : current_) {
    samples += static_cast<double>(e.samples);
    most = std::max(most, static_cast<double>(e.samples));
  }
  std::string text = fmt::format(
      "total value {} ± {}, target {:g} {}", amount(total.value, decimals),
      std::isnan(total.standard_error) ? "unknown" : amount(total.standard_error, decimals),
      config_.options.total_error, total_.has_converged ? "met" : "missed");
  if (samples > 0)
    text += fmt::format("; {:.0f} % of the samples of a run in which no trade rests",
                        100 * samples / (most * static_cast<double>(current_.size())));
  if (total.unknown_errors > 0)
    text += fmt::format("; without the unknown errors of {} trade{}", total.unknown_errors,
                        total.unknown_errors == 1 ? "" : "s");
  if (const std::size_t n = skipped().size(); n > 0)
    text += fmt::format("; it leaves out {} skipped trade{}", n, n == 1 ? "" : "s");
  return text;
}

}  // namespace gsim::pricing
