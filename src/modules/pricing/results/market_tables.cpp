#include "src/modules/pricing/results/market_tables.hpp"

#include <limits>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/results/column.hpp"

namespace gsim::pricing {
namespace {

// One pillar of a curve.
struct Row {
  std::string name, quote;
  double time, rate, factor, quote_error;
};

// The names of the columns `rate` and `factor`, and their descriptions.
struct Columns {
  const char *rate, *rate_text, *factor, *factor_text;
};

template <class T>
Row row_of(const T& curve, const std::vector<double>& times, std::size_t i) {
  const bool is_quoted = !curve.quotes.empty();
  return {curve.name, is_quoted ? curve.quotes[i] : "",
          times[i],   0,
          0,          is_quoted ? curve.quote_errors[i] : std::numeric_limits<double>::quiet_NaN()};
}

void write_table(DatasetWriter& w, const std::string& table, const std::vector<Row>& rows,
                 const Columns& columns) {
  if (rows.empty()) return;
  w.write_strings(table + "/curve", column<std::string>(rows, [](auto& r) { return r.name; }));
  w.write_strings(table + "/quote", column<std::string>(rows, [](auto& r) { return r.quote; }));
  w.write(table + "/time", column<double>(rows, [](auto& r) { return r.time; }));
  w.write(table + "/" + columns.rate, column<double>(rows, [](auto& r) { return r.rate; }));
  w.write(table + "/" + columns.factor, column<double>(rows, [](auto& r) { return r.factor; }));
  w.write(table + "/quote_error", column<double>(rows, [](auto& r) { return r.quote_error; }));
  w.attribute(table + "/time", "unit", "years");
  w.attribute(table + "/" + columns.rate, "unit", "1/year");
  w.attribute(table + "/" + columns.rate, "description", columns.rate_text);
  w.attribute(table + "/" + columns.factor, "description", columns.factor_text);
  w.attribute(
      table + "/quote_error", "description",
      "par rate or spread of the bootstrapped curve minus the quote; NaN: there is no quote");
}

}  // namespace

std::string curves_note(const MarketConfig& market) {
  std::string note;
  const auto add = [&](const std::string& name, std::size_t quotes, std::size_t pillars) {
    note += fmt::format("{}{} ({} {}{})", note.empty() ? "curves: " : ", ", excerpt(name), pillars,
                        quotes > 0 ? "quote" : "pillar", pillars == 1 ? "" : "s");
  };
  for (const MarketCurve& c : market.curves) add(c.name, c.quotes.size(), c.curve.times().size());
  for (const MarketCredit& c : market.credit) add(c.name, c.quotes.size(), c.times.size());
  return note;
}

void write_market(DatasetWriter& w, const MarketConfig& market) {
  std::vector<Row> curves, credit;
  for (const MarketCurve& c : market.curves)
    for (std::size_t i = 0; i < c.curve.times().size(); ++i) {
      Row& row = curves.emplace_back(row_of(c, c.curve.times(), i));
      row.rate = c.curve.zero_rate(row.time);
      row.factor = c.curve.discount(row.time);
    }
  for (const MarketCredit& c : market.credit)
    for (std::size_t i = 0; i < c.times.size(); ++i) {
      Row& row = credit.emplace_back(row_of(c, c.times, i));
      row.rate = c.curve.hazard_rate(row.time);
      row.factor = c.curve.survival(row.time);
    }
  write_table(w, "market/curves", curves,
              {"zero_rate", "continuously compounded", "discount_factor", "value today of 1"});
  write_table(w, "market/credit", credit,
              {"hazard_rate", "of the interval that ends at the time", "survival",
               "probability of no default until the time"});
}

}  // namespace gsim::pricing
