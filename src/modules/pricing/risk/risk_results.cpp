// Output of the module risk: the tables in the result file, their digest, and the table on the
// terminal.

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/results/column.hpp"
#include "src/modules/pricing/results/digest_writer.hpp"
#include "src/modules/pricing/risk/risk_module.hpp"

namespace gsim::pricing {
namespace {

using Rows = std::vector<MeasureRow>;

/// Columns of a measure of risk and its errors, named "var", "var_error", …
void write_tail(DatasetWriter& w, const std::string& name, const Rows& rows,
                RiskEstimate TailRisk::*part, double MeasureRow::*simulation_error) {
  const auto write = [&](const std::string& suffix, const auto& get) {
    const std::string path = "risk/" + name + suffix;
    w.write(path, column<double>(rows, get));
    w.attribute(path, "unit", "currency");
  };
  write("", [&](auto& r) { return (r.risk.*part).value; });
  write("_error", [&](auto& r) { return (r.risk.*part).standard_error; });
  write("_low", [&](auto& r) { return (r.risk.*part).low; });
  write("_high", [&](auto& r) { return (r.risk.*part).high; });
  write("_bootstrap_low", [&](auto& r) { return (r.resampled.*part).low; });
  write("_bootstrap_high", [&](auto& r) { return (r.resampled.*part).high; });
  write("_simulation_error", [&](auto& r) { return r.*simulation_error; });
}

/// An amount with the decimals that show two digits of its error, or two decimals.
std::string amount(double value, double error) {
  if (std::isnan(value)) return "unknown";
  int decimals = 2;
  if (error > 0 && std::isfinite(error)) {
    decimals = 0;
    for (double e = error; e < 10 && decimals < 10; e *= 10) ++decimals;
  }
  return fmt::format("{:.{}f}", value + 0.0, decimals);
}

}  // namespace

void RiskModule::write_measures(DatasetWriter& w) const {
  const Rows& rows = tables().measures;
  w.write_strings("risk/method",
                  column<std::string>(rows, [](auto& r) { return name_of(r.method); }));
  w.write("risk/level", column<double>(rows, [](auto& r) { return r.level; }));
  w.write("risk/scenarios", column<std::int64_t>(rows, [](auto& r) { return r.scenarios; }));
  write_tail(w, "var", rows, &TailRisk::var, &MeasureRow::var_simulation_error);
  write_tail(w, "es", rows, &TailRisk::es, &MeasureRow::es_simulation_error);
}

void RiskModule::write_contributions(DatasetWriter& w) const {
  const std::vector<ContributionRow>& rows = tables().contributions;
  const auto write = [&](const char* name, const auto& get) {
    const std::string path = std::string("contributions/") + name;
    w.write(path, column<double>(rows, get));
    w.attribute(path, "unit", "currency");
  };
  w.write("contributions/measure", column<std::int64_t>(rows, [](auto& r) { return r.measure; }));
  w.write("contributions/trade", column<std::int64_t>(rows, [](auto& r) { return r.trade; }));
  write("component_var", [](auto& r) { return r.component_var; });
  write("component_var_error", [](auto& r) { return r.component_var_error; });
  write("component_es", [](auto& r) { return r.component_es; });
  write("component_es_error", [](auto& r) { return r.component_es_error; });
  write("incremental_var", [](auto& r) { return r.incremental_var; });
}

// Not part of the digest, which contains the resamples by the intervals of the measures.
void RiskModule::write_increment_errors(DatasetWriter& w) const {
  w.write("contributions/incremental_var_error",
          column<double>(tables().contributions, [](auto& r) { return r.incremental_var_error; }));
  w.attribute("contributions/incremental_var_error", "unit", "currency");
  w.attribute("contributions/incremental_var_error", "description",
              "standard error by a bootstrap; NaN: unknown, without resamples, with too few "
              "scenarios, or because the method has none");
}

void RiskModule::write_trades(DatasetWriter& w) const {
  w.write_strings("trades/id", column<std::string>(config_.trades, [](auto& t) { return t.id; }));
  w.write_strings("trades/product",
                  column<std::string>(config_.trades, [](auto& t) { return t.product_name(); }));
  w.write("trades/quantity",
          column<double>(config_.trades, [](auto& t) { return t.given_quantity(); }));
  const std::vector<TradeValue>& values = revaluation_->today();
  w.write("trades/value", column<double>(values, [](auto& v) { return v.value; }));
  w.write("trades/value_error", column<double>(values, [](auto& v) { return v.standard_error; }));
  w.write_strings("trades/valuation", column<std::string>(values, [](auto& v) {
                    return v.is_simulated ? "simulation" : "closed form";
                  }));
  for (const char* name : {"value", "value_error"})
    w.attribute(std::string("trades/") + name, "unit", "currency");
}

void RiskModule::write_sensitivities(DatasetWriter& w) const {
  if (!options_.needs_sensitivities()) return;
  std::vector<std::int64_t> trades, factors;
  std::vector<double> first, second;
  const std::vector<TradeSensitivities> list = sensitivities();
  for (std::size_t t = 0; t < list.size(); ++t)
    for (std::size_t f = 0; f < options_.factors.size(); ++f) {
      if (list[t].first[f] == 0 && list[t].second[f] == 0) continue;
      trades.push_back(static_cast<std::int64_t>(t));
      factors.push_back(static_cast<std::int64_t>(f));
      first.push_back(list[t].first[f]);
      second.push_back(list[t].second[f]);
    }
  w.write("sensitivities/trade", trades);
  w.write("sensitivities/factor", factors);
  w.write("sensitivities/first", first);
  w.write("sensitivities/second", second);
}

void RiskModule::write_scenarios(DatasetWriter& w) const {
  const auto columns = static_cast<Index>(config_.trades.size());
  for (const ScenarioKind kind : {ScenarioKind::stress, ScenarioKind::historical}) {
    const IndexRange range = fixed_range(kind);
    if (range.empty()) continue;
    const std::string group(name_of(kind));
    const Gains gains = gains_of(kind);
    const std::vector<Scenario> list(fixed_.begin() + range.first, fixed_.begin() + range.last);
    w.write_strings(group + "/name", column<std::string>(list, [](auto& s) { return s.name; }));
    w.write(group + "/gain", gains.totals());
    w.write(group + "/gain_error", gains.total_errors());
    w.write(group + "/gain_by_trade", gains.by_trade, columns);
    for (const char* name : {"/gain", "/gain_error", "/gain_by_trade"})
      w.attribute(group + name, "unit", "currency");
  }
  if (simulated_done_ == 0) return;
  if (options_.has(RiskMethod::monte_carlo)) {
    w.write("monte_carlo/gain", simulated_gains_.totals());
    w.attribute("monte_carlo/gain", "unit", "currency");
  }
  if (options_.has(RiskMethod::delta_gamma)) {
    w.write("monte_carlo/delta_gamma", quadratic_gains(simulated_done_).totals());
    w.attribute("monte_carlo/delta_gamma", "unit", "currency");
  }
  if (!options_.cube) return;
  std::vector<double> changes;
  for (Index s = 0; s < simulated_done_; ++s) {
    const std::vector<double> row = generator_->generate(s).changes;
    changes.insert(changes.end(), row.begin(), row.end());
  }
  w.write("monte_carlo/change", changes, static_cast<Index>(options_.factors.size()));
  if (options_.has(RiskMethod::monte_carlo))
    w.write("monte_carlo/gain_by_trade", simulated_gains_.by_trade, columns);
}

// What the results can be read with, repeated from the input, and descriptions; not part of the
// digest.
void RiskModule::write_terms(DatasetWriter& w) const {
  const std::vector<RiskFactor>& factors = options_.factors;
  w.write_strings("factors/name", column<std::string>(factors, [](auto& f) { return f.name; }));
  w.write("factors/deviation", column<double>(factors, [](auto& f) { return f.deviation; }));
  w.write("factors/correlation", options_.correlation, static_cast<Index>(factors.size()));
  w.attribute("factors/deviation", "description",
              "standard deviation of the simulated change over a year; 0: none");
  const std::string confidence =
      fmt::format("{:g} % confidence interval", 100 * config_.options.confidence);
  for (const std::string name : {"var", "es"}) {
    w.attribute("risk/" + name, "description",
                fmt::format("{} of the loss over {:g} years, by the method historical over {} rows "
                            "of the history",
                            name == "var" ? "value at risk" : "expected shortfall",
                            options_.horizon, options_.history_step));
    w.attribute("risk/" + name + "_error", "description",
                "standard error; NaN: unknown, because too few scenarios are beyond the level, or "
                "the method has none");
    w.attribute(
        "risk/" + name + "_low", "description",
        "lower end of the " + confidence + "; of overlapping historical changes by a bootstrap");
    w.attribute(
        "risk/" + name + "_high", "description",
        "upper end of the " + confidence + "; of overlapping historical changes by a bootstrap");
    w.attribute("risk/" + name + "_bootstrap_low", "description",
                "lower end of the " + confidence + " by a bootstrap");
    w.attribute("risk/" + name + "_bootstrap_high", "description",
                "upper end of the " + confidence + " by a bootstrap");
    w.attribute("risk/" + name + "_simulation_error", "description",
                "the part of the standard error that is due to simulated values of trades");
  }
  w.attribute("contributions/measure", "description", "row of the measure in risk/");
  w.attribute("contributions/trade", "description", "row of the trade in trades/");
  if (options_.needs_sensitivities()) {
    w.attribute("sensitivities/trade", "description", "row of the trade in trades/");
    w.attribute("sensitivities/factor", "description", "row of the factor in factors/");
  }
  w.attribute("contributions/incremental_var", "description",
              "value at risk less that of the portfolio without the trade");
  w.write_strings("skipped/id", column<std::string>(config_.skipped, [](auto& t) { return t.id; }));
  w.write_strings("skipped/reason",
                  column<std::string>(config_.skipped, [](auto& t) { return t.reason; }));
}

void RiskModule::write_results(DatasetWriter& w) const {
  write_measures(w);
  write_contributions(w);
  write_increment_errors(w);
  write_trades(w);
  write_sensitivities(w);
  write_scenarios(w);
  write_terms(w);
}

std::uint64_t RiskModule::digest() const {
  DigestWriter writer;
  write_measures(writer);
  write_contributions(writer);
  write_trades(writer);
  write_sensitivities(writer);
  write_scenarios(writer);
  return writer.value();
}

ReportTable RiskModule::report() const {
  constexpr std::size_t max_rows = 40;
  ReportTable table;
  table.columns = {"method", "level", "VaR", "± std. error", "ES", "± std. error", "scenarios"};
  table.right_aligned = {false, true, true, true, true, true, true};
  for (const MeasureRow& row : measures_) {
    const RiskEstimate &var = row.risk.var, &es = row.risk.es;
    const bool is_exact = row.method == RiskMethod::delta_normal && var.standard_error == 0;
    const auto error = [&](const RiskEstimate& e) {
      return is_exact ? std::string() : amount(e.standard_error, e.standard_error);
    };
    table.rows.push_back({std::string(name_of(row.method)), fmt::format("{:g} %", 100 * row.level),
                          amount(var.value, var.standard_error), error(var),
                          amount(es.value, es.standard_error), error(es),
                          row.scenarios > 0 ? fmt::format("{}", row.scenarios) : std::string()});
  }
  const Gains stress = gains_of(ScenarioKind::stress);
  const std::vector<double> gains = stress.totals(), errors = stress.total_errors();
  for (std::size_t i = 0; i < std::min(gains.size(), max_rows); ++i)
    table.footer.push_back(
        fmt::format("stress scenario {}: gain {}{}", excerpt(options_.stresses[i].name),
                    amount(gains[i], errors[i]),
                    errors[i] > 0 ? " ± " + amount(errors[i], errors[i]) : std::string()));
  if (gains.size() > max_rows)
    table.footer.push_back(fmt::format("… and {} more stress scenarios", gains.size() - max_rows));
  for (std::size_t i = 0; i < std::min(config_.skipped.size(), max_rows); ++i)
    table.footer.push_back(fmt::format("skipped: {}", config_.skipped[i].reason));
  double value = 0;
  for (const TradeValue& v : revaluation_->today()) value += v.value;
  table.footer.push_back(fmt::format("{} trades worth {:.2f}, horizon {:.4g} years",
                                     config_.trades.size(), value + 0.0, options_.horizon));
  return table;
}

}  // namespace gsim::pricing
