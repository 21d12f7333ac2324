// Output of the pricing module: the tables in the result file, their digest, and the table on the
// terminal.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/exercise/exercise_policies.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/pricing_module.hpp"
#include "src/modules/pricing/results/amount.hpp"
#include "src/modules/pricing/results/column.hpp"
#include "src/modules/pricing/results/digest_writer.hpp"
#include "src/modules/pricing/results/market_tables.hpp"

namespace gsim::pricing {
namespace {

using Control = TradeSetup::Control;

const char* control_name(const TradeState& state) {
  const TradeSetup& setup = *state.setup;
  if (state.is_tilted) return "none";
  switch (setup.control) {
    case Control::none:
      return "none";
    case Control::spot:
      return "spot";
    case Control::vanilla:
      return setup.combination == Combination::weighted_sum ? "exchange" : "vanilla";
    case Control::clipped_returns:
      return "clipped returns";
    case Control::asian_geometric:
      return "geometric average";
    case Control::basket_geometric:
      return "geometric basket";
    case Control::at_exercise:
      return setup.exercise->control.kind == ExerciseControl::vanilla ? "European at exercise"
                                                                      : "spot at exercise";
  }
  return "none";
}

// The upper bound of a price with early exercise; of a short position the lower one.
std::string bound_text(const UpperBound& bound, const TradeConfig& trade) {
  if (std::isnan(bound.value)) return {};
  const int decimals = decimals_of(bound.standard_error);
  return fmt::format(
      "{} bound {} ± {}", trade.quantity < 0 ? "lower" : "upper", amount(bound.value, decimals),
      std::isnan(bound.standard_error) ? "unknown" : amount(bound.standard_error, decimals));
}

// The price in the currency of the payments, if that is not the base currency.
std::string own_price(const MarketConfig& market, const TradeState& s) {
  if (s.trade->currency == base_currency || s.has_failed) return {};
  const double conversion = s.setup->conversion;
  return fmt::format(
      "{} {}",
      amount(s.estimate->price / conversion, decimals_of(s.estimate->standard_error / conversion)),
      currency_name(market, s.trade->currency));
}

// The last column of the table on the terminal.
std::string last_column(const PricingConfig& config, const RunLimits& limits, const TradeState& s,
                        const UpperBound& bound) {
  std::string remarks = remark(config, limits, s);
  const char* separator = remarks.empty() ? "" : "; ";
  if (const std::string text = bound_text(bound, *s.trade); !text.empty()) {
    remarks = text + separator + remarks;
    separator = "; ";
  }
  if (const std::string text = own_price(config.market, s); !text.empty()) {
    remarks = text + separator + remarks;
    separator = "; ";
  }
  if (s.is_certain || s.has_failed) return remarks;
  if (s.is_tilted) return fmt::format("importance sampling{}{}", separator, remarks);
  if (s.setup->control == Control::none) return remarks;
  return fmt::format("control: {}{}{}", control_name(s), separator, remarks);
}

}  // namespace

int decimals_of(double error) {
  if (!(error > 0) || !std::isfinite(error)) return 6;
  int decimals = 1;
  for (double e = error; e < 1 && decimals < 12; e *= 10) ++decimals;
  return decimals;
}

std::string amount(double value, int decimals) {
  // Beyond 1e15 the decimals exceed double precision and are not meaningful.
  return std::fabs(value) < 1e15 ? fmt::format("{:.{}f}", value + 0.0, decimals)  // no "-0"
                                 : fmt::format("{:g}", value);
}

void PricingModule::write_trades(DatasetWriter& w) const {
  std::vector<TradeState> states;
  states.reserve(config_.trades.size());
  for (Index t = 0; t < trade_count(); ++t) states.push_back(state_of(t));
  w.write_strings("trades/id", column<std::string>(config_.trades, [](auto& t) { return t.id; }));
  w.write_strings("trades/product",
                  column<std::string>(config_.trades, [](auto& t) { return t.product_name(); }));
  w.write("trades/quantity",
          column<double>(config_.trades, [](auto& t) { return t.given_quantity(); }));
  w.write("trades/price", column<double>(current_, [](auto& e) { return e.price; }));
  w.write("trades/standard_error",
          column<double>(current_, [](auto& e) { return e.standard_error; }));
  w.write("trades/samples", column<std::int64_t>(current_, [](auto& e) { return e.samples; }));
  w.write("trades/ci_low",
          column<double>(current_, [](auto& e) { return e.price - e.half_width; }));
  w.write("trades/ci_high",
          column<double>(current_, [](auto& e) { return e.price + e.half_width; }));
  w.write("trades/converged", converged_);
  w.write_strings("trades/control",
                  column<std::string>(states, [](auto& s) { return control_name(s); }));
  w.write("trades/control_coefficient", column<double>(current_, [](auto& e) { return e.beta; }));
  write_upper_bounds(w);
  for (const char* name : {"price", "standard_error", "ci_low", "ci_high"})
    w.attribute(std::string("trades/") + name, "unit", "currency");
  w.attribute("trades/samples", "unit", "samples");
  w.attribute("trades/price", "description", "value today of the whole quantity");
  const std::string confidence =
      fmt::format("{:g} % confidence interval", 100 * config_.options.confidence);
  w.attribute("trades/ci_low", "description", "lower end of the " + confidence);
  w.attribute("trades/ci_high", "description", "upper end of the " + confidence);
}

// Trades with early exercise: the price is a lower bound, since no policy is better than the
// optimal one. Portfolios without such trades have no columns for it.
void PricingModule::write_upper_bounds(DatasetWriter& w) const {
  const auto is_early = [](const TradeConfig& t) { return t.exercise.is_early(); };
  if (std::none_of(config_.trades.begin(), config_.trades.end(), is_early)) return;
  std::vector<UpperBound> bounds;
  for (Index t = 0; t < trade_count(); ++t) bounds.push_back(upper_bound(t));
  w.write("trades/upper_bound", column<double>(bounds, [](auto& b) { return b.value; }));
  w.write("trades/upper_bound_error",
          column<double>(bounds, [](auto& b) { return b.standard_error; }));
  for (const char* name : {"upper_bound", "upper_bound_error"})
    w.attribute(std::string("trades/") + name, "unit", "currency");
  w.attribute(
      "trades/upper_bound", "description",
      "upper bound, by nested simulation, of the price with these exercise dates, for a short "
      "position, and for a long one in a callable bond, the lower one; the column price is the "
      "value under an exercise policy that is not optimal. NaN: not computed");
}

UpperBound PricingModule::upper_bound(Index trade) const {
  const auto i = static_cast<std::size_t>(trade);
  const TradeConfig& config = config_.trades[i];
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!config.exercise.is_early() || failed_[i] != 0) return {none, none};
  const ExercisePolicy& policy = *config.exercise.policy;
  const double gap_error = config.quantity * policy.gap_error;
  return {
      current_[i].price + config.quantity * policy.gap,
      std::sqrt(current_[i].standard_error * current_[i].standard_error + gap_error * gap_error)};
}

// The terms of the trades, repeated from the input so that the results can be read without it; not
// part of the digest.
void PricingModule::write_terms(DatasetWriter& w) const {
  const auto underlying = [&](const TradeConfig& t) {
    std::string names;
    for (const Index i : t.assets) {
      const AssetConfig& asset = config_.market.assets[static_cast<std::size_t>(i)];
      if (asset.first_factor < 0) names += (names.empty() ? "" : " ") + asset.name;
    }
    return names;
  };
  w.write_strings("trades/underlying", column<std::string>(config_.trades, underlying));
  w.write("trades/strike", column<double>(config_.trades, [](auto& t) { return t.strike; }));
  w.write("trades/maturity", column<double>(config_.trades, [](auto& t) { return t.maturity; }));
  w.write("trades/tilt", column<double>(tilted_.tilts(), [](auto& t) { return t.length; }));
  w.attribute("trades/tilt", "description",
              "importance sampling: by how many of its standard deviations the exponential tilt "
              "moves the mean of the underlying's logarithm; 0: no importance sampling");
  w.attribute("trades/strike", "description",
              "as given: a price, a multiple of the spot, or a variance; 0 without one");
  w.attribute("trades/maturity", "unit", "years");
}

// The prices in the currencies of the payments; not part of the digest, which has the prices in the
// base currency. Markets without currencies have no columns for it.
void PricingModule::write_currencies(DatasetWriter& w) const {
  const MarketConfig& market = config_.market;
  if (market.base_name.empty()) return;
  std::vector<double> conversions, prices, errors;
  for (std::size_t i = 0; i < current_.size(); ++i) {
    conversions.push_back(setup_.simulation.trades[i].conversion);
    prices.push_back(current_[i].price / conversions.back());
    errors.push_back(current_[i].standard_error / conversions.back());
  }
  w.write_strings("trades/currency", column<std::string>(config_.trades, [&](auto& t) {
                    return currency_name(market, t.currency);
                  }));
  w.write("trades/conversion", conversions);
  w.write("trades/price_in_currency", prices);
  w.write("trades/error_in_currency", errors);
  w.attribute("trades/currency", "description", "currency of the payments");
  w.attribute("trades/conversion", "description",
              fmt::format("units of {} per unit of the currency, today", market.base_name));
  w.attribute("trades/price_in_currency", "description", "price in the currency of the payments");
  w.attribute("trades/error_in_currency", "description", "its standard error");
  for (const char* name : {"price", "standard_error", "ci_low", "ci_high"})
    w.attribute(std::string("trades/") + name, "unit", market.base_name);
}

// Text about the results; not part of the digest.
void PricingModule::write_remarks(DatasetWriter& w) const {
  std::vector<TradeState> states;
  for (Index t = 0; t < trade_count(); ++t) states.push_back(state_of(t));
  w.write_strings("trades/remark", column<std::string>(states, [&](const TradeState& s) {
                    return remark(config_, limits(s.trade - config_.trades.data()), s);
                  }));
  const std::string note = discretisation_note(config_);
  w.attribute("trades/remark", "description",
              "remarks on the interpretation of the price" + (note.empty() ? "" : "; " + note));
  w.attribute("trades/standard_error", "description",
              "NaN: unknown, because the samples have no variance; see remark");
  if (!context_->warn) return;
  for (const std::string& warning : bias_warnings(config_, states)) context_->warn(warning);
}

void PricingModule::write_history(DatasetWriter& w) const {
  w.write("history/trade", column<std::int64_t>(history_, [](auto& h) { return h.trade; }));
  w.write("history/samples", column<std::int64_t>(history_, [](auto& h) { return h.samples; }));
  w.write("history/price", column<double>(history_, [](auto& h) { return h.price; }));
  w.write("history/standard_error",
          column<double>(history_, [](auto& h) { return h.standard_error; }));
  w.attribute("history/trade", "description", "row of the trade in trades/");
  for (const char* name : {"price", "standard_error"})
    w.attribute(std::string("history/") + name, "unit", "currency");
}

std::vector<SkippedTrade> PricingModule::skipped() const {
  std::vector<SkippedTrade> list = config_.skipped;
  for (std::size_t i = 0; i < failed_.size(); ++i) {
    if (failed_[i] == 0) continue;
    const TradeConfig& trade = config_.trades[i];
    std::string reason = exercise_problem(config_, trade);
    if (reason.empty())
      reason = fmt::format(
          "trade `{}`: a payoff or the price is not a finite number; check its "
          "amounts, or use precision = \"double\"",
          excerpt(trade.id));
    list.push_back({trade.id, std::move(reason)});
  }
  return list;
}

void PricingModule::write_results(DatasetWriter& w) const {
  write_trades(w);
  write_terms(w);
  write_currencies(w);
  write_remarks(w);
  write_history(w);
  if (has_total_target()) write_total(w);
  greeks_.write(w, failed_);
  greeks_.write_remarks(w, failed_);
  write_market(w, config_.market);
  const std::vector<SkippedTrade> left_out = skipped();
  w.write_strings("skipped/id", column<std::string>(left_out, [](auto& t) { return t.id; }));
  w.write_strings("skipped/reason",
                  column<std::string>(left_out, [](auto& t) { return t.reason; }));
}

std::uint64_t PricingModule::digest() const {
  DigestWriter writer;
  write_trades(writer);
  write_history(writer);
  if (has_total_target()) write_total(writer);
  greeks_.write(writer, failed_);
  // Only the ids enter the digest, because reasons contain file names as given on the command line.
  writer.write_strings("skipped/id", column<std::string>(skipped(), [](auto& t) { return t.id; }));
  return writer.value();
}

ReportTable PricingModule::report() const {
  constexpr std::size_t max_rows = 40;
  ReportTable table;
  table.columns = {"trade", "product", "price", "± std. error", "samples", ""};
  table.right_aligned = {false, false, true, true, true, false};
  const std::size_t n = config_.trades.size();
  const auto numbers = [](const PriceEstimate& e) {
    const int decimals = decimals_of(e.standard_error);
    return std::vector<std::string>{
        amount(e.price, decimals),
        std::isnan(e.standard_error) ? "unknown" : amount(e.standard_error, decimals),
        fmt::format("{}", e.samples)};
  };
  std::size_t greek = 0;
  const std::vector<GreekInfo>& greeks = greeks_.list();
  for (std::size_t i = 0; i < std::min(n, max_rows); ++i) {
    std::vector<std::string> row = numbers(current_[i]);
    row.insert(row.begin(), {config_.trades[i].id, config_.trades[i].product_name()});
    row.push_back(last_column(config_, limits(static_cast<Index>(i)),
                              state_of(static_cast<Index>(i)), upper_bound(static_cast<Index>(i))));
    table.rows.push_back(std::move(row));
    for (; greek < greeks.size() && greeks[greek].trade == static_cast<Index>(i); ++greek) {
      const auto g = static_cast<Index>(greek);
      const PriceEstimate e = greeks_.estimate(g, failed_);
      row = numbers(e);
      row.insert(row.begin(), {"", greeks_.name(g)});
      const std::string remark = greeks_.remark(g, e, failed_);
      row.push_back(std::string(name_of(greeks[greek].form)) +
                    (remark.empty() ? "" : "; " + remark));
      table.rows.push_back(std::move(row));
    }
  }
  if (n > max_rows) table.rows_left_out = static_cast<Index>(n - max_rows);
  const std::vector<SkippedTrade> left_out = skipped();
  for (std::size_t i = 0; i < std::min(left_out.size(), max_rows); ++i)
    table.footer.push_back(fmt::format("skipped: {}", left_out[i].reason));
  for (const std::string& note : calibration_notes(config_.market)) table.footer.push_back(note);
  if (const std::string note = discretisation_note(config_); !note.empty())
    table.footer.push_back(note);
  if (has_total_target()) table.footer.push_back(total_text());
  std::string line = fmt::format("{} trade{}", n, n == 1 ? "" : "s");
  if (context_->stop.has_error_target() || has_trade_targets_)
    line += fmt::format(", {} converged", std::count(converged_.begin(), converged_.end(), 1));
  if (!left_out.empty()) line += fmt::format(", {} skipped", left_out.size());
  table.footer.push_back(line);
  return table;
}

}  // namespace gsim::pricing
