// Output of the module multilevel: the tables in the result file, their digest, and the table on
// the terminal.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/pricing/multilevel/multilevel_module.hpp"
#include "src/modules/pricing/results/amount.hpp"
#include "src/modules/pricing/results/column.hpp"
#include "src/modules/pricing/results/digest_writer.hpp"
#include "src/modules/pricing/results/market_tables.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"

namespace gsim::pricing {
namespace {

/// A corrections' mean that differs this far from the difference of the levels' values is
/// inconsistent by more than chance (LevelDiagnostics::consistency).
constexpr double inconsistent = 1;
/// A kurtosis from which on the variance of the corrections is uncertain (Giles 2015, section 3.2).
constexpr double large_kurtosis = 100;

std::string order_text(double order) {
  return std::isnan(order) ? "unknown" : fmt::format("{:.2f}", order);
}

}  // namespace

void MultilevelModule::write_tables(DatasetWriter& w) const {
  w.write_strings("trades/id", column<std::string>(config_.trades, [](auto& t) { return t.id; }));
  w.write_strings("trades/product",
                  column<std::string>(config_.trades, [](auto& t) { return t.product_name(); }));
  const auto of_trade = [&](const char* name, auto value) {
    std::vector<double> list;
    for (std::size_t t = 0; t < trades_.size(); ++t)
      list.push_back(value(trades_[t].estimate, config_.trades[t].quantity));
    w.write(std::string("trades/") + name, list);
  };
  of_trade("price", [](auto& e, double q) { return q * e.value; });
  of_trade("standard_error", [](auto& e, double q) { return std::fabs(q) * e.standard_error; });
  of_trade("bias", [](auto& e, double q) { return std::fabs(q) * e.bias; });
  of_trade("rms_error", [](auto& e, double q) { return std::fabs(q) * e.rms_error; });
  of_trade("alpha", [](auto& e, double) { return e.alpha; });
  of_trade("beta", [](auto& e, double) { return e.beta; });
  of_trade("gamma", [](auto& e, double) { return e.gamma; });
  of_trade("cost", [](auto& e, double) { return e.cost; });
  of_trade("single_level_cost", [](auto& e, double) { return e.single_cost; });
  w.write("trades/converged", column<std::uint8_t>(trades_, [](auto& t) {
            return static_cast<std::uint8_t>(t.has_converged ? 1 : 0);
          }));
  for (const char* name : {"price", "standard_error", "bias", "rms_error"})
    w.attribute(std::string("trades/") + name, "unit", "currency");
  w.attribute("trades/standard_error", "description", "of the sampling, without the bias");
  w.attribute("trades/bias", "description",
              "bound of the remaining bias of time steps, extrapolated from the means of the "
              "corrections of the last three levels and their standard errors");
  w.attribute("trades/cost", "description", "time steps of all paths");
  w.attribute("trades/single_level_cost", "description",
              "estimated time steps of Monte Carlo on the finest level alone, for the same "
              "standard error");
  std::vector<std::int64_t> trades, numbers, steps, samples;
  std::vector<LevelDiagnostics> rows;
  std::vector<double> quantities;
  for (Index t = 0; t < trade_count(); ++t) {
    const auto& levels = trades_[static_cast<std::size_t>(t)].estimate.levels;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      trades.push_back(t);
      numbers.push_back(static_cast<Index>(l));
      steps.push_back(steps_of(options_, static_cast<Index>(l)));
      samples.push_back(levels[l].samples);
      rows.push_back(levels[l]);
      quantities.push_back(trade(t).quantity);
    }
  }
  w.write("levels/trade", trades);
  w.write("levels/level", numbers);
  w.write("levels/steps", steps);
  w.write("levels/samples", samples);
  const auto of_level = [&](const char* name, auto value) {
    w.write(std::string("levels/") + name, column<double>(rows, value));
  };
  of_level("mean", [](auto& d) { return d.mean; });
  of_level("variance", [](auto& d) { return d.variance; });
  of_level("error_of_mean", [](auto& d) { return std::sqrt(d.error_variance); });
  of_level("kurtosis", [](auto& d) { return d.kurtosis; });
  of_level("consistency", [](auto& d) { return d.consistency; });
  of_level("fine_mean", [](auto& d) { return d.fine_mean; });
  of_level("fine_variance", [](auto& d) { return d.fine_variance; });
  of_level("cost", [](auto& d) { return d.cost; });
  w.attribute("levels/trade", "description", "row of the trade in trades/");
  w.attribute("levels/mean", "description",
              "mean of the corrections of a unit quantity; on level 0 of the payoff");
  w.attribute(
      "levels/consistency", "description",
      "difference between the mean correction and that of the levels' own means, over three "
      "times its standard errors: above 1 with probability 0.3 % (Giles 2015)");
}

void MultilevelModule::write_results(DatasetWriter& w) const {
  write_tables(w);
  write_market(w, config_.market);
  if (!context_->warn) return;
  for (Index t = 0; t < trade_count(); ++t) {
    const auto& levels = trades_[static_cast<std::size_t>(t)].estimate.levels;
    for (std::size_t l = 1; l < std::min<std::size_t>(3, levels.size()); ++l)
      if (!levels[0].is_certain && levels[l].contributing >= min_contributing_samples &&
          levels[l].variance >= levels[0].variance)
        context_->warn(fmt::format(
            "trade `{}`: the corrections of level {} vary more than the payoff on level 0, so that "
            "the coarsest levels only add to the work; raise multilevel.first_steps",
            trade(t).id, l));
    for (std::size_t l = 0; l < levels.size(); ++l)
      if (levels[l].consistency > inconsistent)
        context_->warn(
            fmt::format("trade `{}`: the correction of level {} is not consistent with the values "
                        "of its levels "
                        "(check {:.2f}, above 1 with probability 0.3 %)",
                        trade(t).id, l, levels[l].consistency));
  }
}

std::uint64_t MultilevelModule::digest() const {
  DigestWriter writer;
  write_tables(writer);
  return writer.value();
}

ReportTable MultilevelModule::report() const {
  constexpr std::size_t most_trades = 12;
  ReportTable table;
  table.columns = {"trade",    "level",    "steps", "samples", "mean",
                   "variance", "kurtosis", "check", "cost"};
  table.right_aligned = {false, true, true, true, true, true, true, true, true};
  for (std::size_t t = 0; t < std::min(trades_.size(), most_trades); ++t) {
    const MultilevelEstimate& e = trades_[t].estimate;
    for (std::size_t l = 0; l < e.levels.size(); ++l) {
      const LevelDiagnostics& d = e.levels[l];
      table.rows.push_back(
          {l == 0 ? config_.trades[t].id : "", fmt::format("{}", l),
           fmt::format("{}", steps_of(options_, static_cast<Index>(l))),
           fmt::format("{}", d.samples), fmt::format("{:.3g}", d.mean),
           fmt::format("{:.2e}", d.variance),
           fmt::format("{:.1f}{}", d.kurtosis, d.kurtosis > large_kurtosis ? " (large)" : ""),
           l == 0 ? "" : fmt::format("{:.2f}", d.consistency), fmt::format("{:.2e}", d.cost)});
    }
    const double q = std::fabs(config_.trades[t].quantity);
    const int decimals = decimals_of(q * e.rms_error);
    table.footer.push_back(fmt::format(
        "{} ({}): {} ± {} sampling, {} bias; target {:g} {}; alpha {}, beta {}, gamma {}; cost "
        "{:.2e} steps, of a single level {:.2e}",
        config_.trades[t].id, config_.trades[t].product_name(),
        amount(config_.trades[t].quantity * e.value, decimals),
        std::isnan(e.standard_error) ? "unknown" : amount(q * e.standard_error, decimals),
        std::isnan(e.bias) ? "unknown" : amount(q * e.bias, decimals),
        target_of(options_, config_.trades[t]), trades_[t].has_converged ? "met" : "missed",
        order_text(e.alpha), order_text(e.beta), order_text(e.gamma), e.cost, e.single_cost));
  }
  if (trades_.size() > most_trades)
    table.rows_left_out = static_cast<Index>(trades_.size() - most_trades);
  const auto converged =
      std::count_if(trades_.begin(), trades_.end(), [](auto& t) { return t.has_converged; });
  table.footer.push_back(fmt::format("{} trade{}, {} converged", trades_.size(),
                                     trades_.size() == 1 ? "" : "s", converged));
  return table;
}

}  // namespace gsim::pricing
