#include "src/modules/pricing/risk/stress_scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/risk/risk_factors.hpp"

namespace gsim::pricing {
namespace {

using Quantity = MarketBump::Quantity;

/// Reads a column whose name may hold dots, which the table takes for the names of nested keys.
void read_level(Section& row, const std::string& name, double& value, const KeyInfo& info) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return row.optional(name, value, info);
  row.optional_table(
      name.substr(0, dot),
      [&](Section& nested) { read_level(nested, name.substr(dot + 1), value, info); }, info.doc);
}

KeyInfo level_of(const RiskFactor& factor) {
  if (factor.quantity == Quantity::spot)
    return {.doc = "spot", .minimum = 0, .exclusive_minimum = true};
  if (factor.quantity == Quantity::volatility)
    return {.doc = "volatility", .unit = "1/sqrt(year)", .minimum = 0};
  return {.doc = "rate", .unit = "1/year"};
}

/// Whether a text is a date such as 2026-11-28.
bool is_iso_date(const std::string& text) {
  const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9})
    if (!is_digit(i)) return false;
  return true;
}

/// Every column has a level in every row, and dates rise.
void check_history(const InputFile& file, const RiskOptions& o,
                   const std::vector<std::string>& dates,
                   const std::vector<std::vector<double>>& levels) {
  for (std::size_t i = 1; i < levels.size(); ++i) {
    for (std::size_t f = 0; f < o.factors.size(); ++f)
      GSIM_VALIDATE(std::isnan(levels[i][f]) == std::isnan(levels[0][f]),
                    fmt::format("{}: row {} ({}) or the first row has no level of `{}`", file.path,
                                i + 1, excerpt(dates[i]), excerpt(o.factors[f].name)),
                    "give every row all levels, or leave the row out");
    if (is_iso_date(dates[i]) && is_iso_date(dates[i - 1]))
      GSIM_VALIDATE(dates[i] > dates[i - 1],
                    fmt::format("{}: {} follows {}", file.path, dates[i], dates[i - 1]),
                    "put the rows in order of time, the oldest one first");
  }
}

/// The number of rows up to RiskOptions::history_until.
std::size_t end_of_history(const InputFile& file, const RiskOptions& o,
                           const std::vector<std::string>& dates) {
  if (o.history_until.empty()) return dates.size();
  const auto at = std::find(dates.begin(), dates.end(), o.history_until);
  GSIM_VALIDATE(at != dates.end(),
                fmt::format("{}: no row has the date `{}`", file.path, excerpt(o.history_until)),
                "give risk.history_until as the column date has it");
  return static_cast<std::size_t>(at - dates.begin()) + 1;
}

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// 0 for a factor without a column.
double change(const RiskFactor& factor, double from, double to) {
  if (std::isnan(from)) return 0;
  return factor.quantity == Quantity::spot ? to / from - 1 : to - from;
}

}  // namespace

void describe_stresses(Section& risk, std::vector<StressInput>& stresses) {
  risk.tables(
      "stress", stresses,
      [](Section& s, StressInput& stress) {
        s.required("name", stress.name, {.doc = "name of the scenario"});
        s.optional("spots", stress.spots,
                   {.doc = "relative change of the spots of all assets, not of exchange rates",
                    .minimum = -0.999999});
        s.optional("volatilities", stress.volatilities,
                   {.doc = "change of the volatilities of all assets, not of exchange rates and "
                           "short rates; they keep at least a quarter of "
                           "their values",
                    .unit = "1/sqrt(year)"});
        s.optional("rate", stress.rate,
                   {.doc = "change of the rates of all currencies", .unit = "1/year"});
        s.optional("factors", stress.factors,
                   {.doc = "factors with changes of their own, instead of those above"});
        s.optional("changes", stress.changes, {.doc = "their changes, in the same order"});
      },
      "stress scenarios: the gain of all trades after these changes of the market");
}

std::vector<Scenario> stress_scenarios(const Section& risk,
                                       const std::vector<StressInput>& stresses,
                                       const RiskOptions& o) {
  std::vector<Scenario> scenarios;
  for (const StressInput& stress : stresses) {
    const auto fail = [&](const std::string& problem) {
      risk.fail("stress", fmt::format("scenario `{}`: {}", excerpt(stress.name), problem));
    };
    Scenario scenario{ScenarioKind::stress, stress.name, {}};
    for (const RiskFactor& f : o.factors)
      scenario.changes.push_back(f.quantity == Quantity::rate         ? stress.rate
                                 : f.is_of_fx || f.is_of_rate         ? 0
                                 : f.quantity == Quantity::volatility ? stress.volatilities
                                                                      : stress.spots);
    if (stress.factors.size() != stress.changes.size())
      fail(fmt::format("{} factors, but {} changes", stress.factors.size(), stress.changes.size()));
    for (std::size_t i = 0; i < stress.factors.size(); ++i) {
      const std::size_t f = find_factor(risk, "stress", o, stress.factors[i]);
      if (o.factors[f].quantity == Quantity::spot && !(stress.changes[i] > -1))
        fail("a spot cannot change by -100 % or less");
      scenario.changes[f] = stress.changes[i];
    }
    for (const Scenario& other : scenarios)
      if (other.name == stress.name) fail("the name appears twice");
    scenarios.push_back(std::move(scenario));
  }
  return scenarios;
}

std::vector<Scenario> historical_scenarios(const InputFile& file, const RiskOptions& o) {
  CsvTable table = CsvTable::parse(file.text, file.path);
  const std::size_t n = o.factors.size();
  std::vector<std::string> dates;
  std::vector<std::vector<double>> levels;
  bool has_levels = false;
  for (Index i = 0; i < table.rows(); ++i) {
    std::string date = fmt::format("row {}", i + 1);
    std::vector<double> row(n, absent);
    table.read_row(i, [&](Section& s) {
      s.optional("date", date, {.doc = "date of the levels"});
      for (std::size_t f = 0; f < n; ++f)
        read_level(s, o.factors[f].name, row[f], level_of(o.factors[f]));
    });
    has_levels = has_levels || std::any_of(row.begin(), row.end(),
                                           [](double level) { return !std::isnan(level); });
    dates.push_back(std::move(date));
    levels.push_back(std::move(row));
  }
  GSIM_VALIDATE(
      has_levels, fmt::format("{}: no column is named after a risk factor", file.path),
      "name columns after assets, exchange rates, \"NAME volatility\", rate or \"NAME rate\"");
  check_history(file, o, dates, levels);
  std::vector<Scenario> scenarios;
  const auto step = static_cast<std::size_t>(o.history_step);
  const std::size_t end = end_of_history(file, o, dates);
  const auto used = static_cast<std::size_t>(o.history_changes);
  GSIM_VALIDATE(used == 0 || used + step <= end,
                fmt::format("{}: {}{} are too few for {} over {}", file.path,
                            count_of(static_cast<Index>(end), "row"),
                            o.history_until.empty() ? "" : " until " + o.history_until,
                            count_of(o.history_changes, "change"), count_of(o.history_step, "row")),
                "reduce risk.history_changes, or leave it out for all changes");
  for (std::size_t i = used == 0 ? step : end - used; i < end; ++i) {
    Scenario scenario{ScenarioKind::historical, dates[i - step] + " to " + dates[i], {}};
    for (std::size_t f = 0; f < n; ++f)
      scenario.changes.push_back(change(o.factors[f], levels[i - step][f], levels[i][f]));
    scenarios.push_back(std::move(scenario));
  }
  return scenarios;
}

}  // namespace gsim::pricing
