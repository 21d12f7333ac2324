#include "src/modules/pricing/results/market_tables.hpp"

#include <algorithm>
#include <cmath>
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

// A quote, or an expiry, of the surface of an asset.
struct SurfaceRow {
  const AssetConfig* asset;
  std::size_t index;

  const AssetSurface& given() const { return *asset->given_surface; }
  const VolatilitySurface& surface() const { return *given().surface; }
  const SurfacePoint& point() const { return given().points[index]; }
  const ExpiryCheck& check() const { return given().checks[index]; }
  double expiry() const { return surface().expiries()[point().expiry]; }
};

void write_surface_points(DatasetWriter& w, const std::vector<SurfaceRow>& rows) {
  const std::string table = "market/volatility_surfaces";
  const auto numbers = [&](const char* name, const auto& value, const char* unit = "",
                           const char* description = "") {
    const std::string path = table + "/" + name;
    w.write(path, column<double>(rows, value));
    if (*unit != 0) w.attribute(path, "unit", unit);
    if (*description != 0) w.attribute(path, "description", description);
  };
  w.write_strings(table + "/surface",
                  column<std::string>(rows, [](auto& r) { return r.surface().name(); }));
  w.write_strings(table + "/asset",
                  column<std::string>(rows, [](auto& r) { return r.asset->name; }));
  numbers(
      "expiry", [](auto& r) { return r.expiry(); }, "years");
  numbers("forward", [](auto& r) { return r.surface().forwards().forward(r.expiry()); });
  numbers("strike", [](auto& r) { return r.point().strike; });
  numbers(
      "volatility", [](auto& r) { return r.point().volatility; }, "1/sqrt(year)",
      "implied volatility of the surface");
  numbers(
      "quote_error", [](auto& r) { return r.point().volatility - r.point().quote; }, "1/sqrt(year)",
      "volatility minus the quote; NaN: there is no quote");
}

void write_arbitrage_checks(DatasetWriter& w, const std::vector<SurfaceRow>& rows) {
  const std::string table = "market/arbitrage";
  const auto numbers = [&](const char* name, const auto& value, const char* description) {
    w.write(table + "/" + name, column<double>(rows, value));
    w.attribute(table + "/" + name, "description", description);
  };
  w.write_strings(table + "/surface",
                  column<std::string>(rows, [](auto& r) { return r.surface().name(); }));
  w.write_strings(table + "/asset",
                  column<std::string>(rows, [](auto& r) { return r.asset->name; }));
  numbers(
      "expiry", [](auto& r) { return r.check().expiry; }, "years");
  numbers(
      "density", [](auto& r) { return r.check().density; },
      "smallest value of Durrleman's g up to the expiry from the one before; negative: "
      "butterfly arbitrage");
  numbers(
      "density_time", [](auto& r) { return r.check().density_time; }, "where it is smallest");
  numbers(
      "density_strike", [](auto& r) { return r.check().density_strike; }, "where it is smallest");
  numbers(
      "increase", [](auto& r) { return r.check().increase; },
      "smallest increase of the total variance from the expiry before at equal strike / "
      "forward; negative: calendar arbitrage");
  numbers(
      "increase_strike", [](auto& r) { return r.check().increase_strike; }, "where it is smallest");
  numbers(
      "wing_slope", [](auto& r) { return r.check().wing_slope; },
      "larger slope of the total variance in ln(strike) far from the forward; above 2: "
      "arbitrage");
}

// A parameter of an asset's smile or model.
struct ParameterRow {
  const AssetConfig* asset;
  std::string surface;
  CalibratedParameter parameter;
};

// An instrument to which an asset's or a rate's model was calibrated.
struct CalibrationRow {
  const AssetConfig* asset;
  const CalibrationError* error;
};

void write_calibration(DatasetWriter& w, const MarketConfig& market) {
  std::vector<CalibrationRow> rows;
  for (const AssetConfig& asset : market.assets)
    if (asset.calibration)
      for (const CalibrationError& e : asset.calibration->errors) rows.push_back({&asset, &e});
  if (rows.empty()) return;
  const std::string table = "market/calibration";
  w.write_strings(table + "/asset",
                  column<std::string>(rows, [](auto& r) { return r.asset->name; }));
  w.write_strings(table + "/instrument",
                  column<std::string>(rows, [](auto& r) { return r.error->instrument; }));
  w.write(table + "/quote", column<double>(rows, [](auto& r) { return r.error->quote; }));
  w.write(table + "/model", column<double>(rows, [](auto& r) { return r.error->model; }));
  w.write(table + "/error",
          column<double>(rows, [](auto& r) { return r.error->model - r.error->quote; }));
  w.attribute(table + "/model", "description", "of the calibrated model, as the quote");
}

void write_parameters(DatasetWriter& w, const MarketConfig& market) {
  std::vector<ParameterRow> rows;
  for (const AssetConfig& asset : market.assets) {
    if (asset.given_surface)
      for (const CalibratedParameter& p : asset.given_surface->parameters)
        rows.push_back({&asset, asset.given_surface->surface->name(), p});
    if (asset.calibration)
      for (const CalibratedParameter& p : asset.calibration->parameters)
        rows.push_back({&asset, asset.calibration->target, p});
  }
  if (rows.empty()) return;
  const std::string table = "market/parameters";
  w.write_strings(table + "/asset",
                  column<std::string>(rows, [](auto& r) { return r.asset->name; }));
  w.write_strings(table + "/surface", column<std::string>(rows, [](auto& r) { return r.surface; }));
  w.write(table + "/expiry", column<double>(rows, [](auto& r) { return r.parameter.expiry; }));
  w.write_strings(table + "/parameter",
                  column<std::string>(rows, [](auto& r) { return r.parameter.name; }));
  w.write(table + "/value", column<double>(rows, [](auto& r) { return r.parameter.value; }));
  w.attribute(table + "/expiry", "unit", "years");
  w.attribute(table + "/expiry", "description", "NaN: the parameter is that of all expiries");
}

void write_surfaces(DatasetWriter& w, const MarketConfig& market) {
  std::vector<SurfaceRow> points, checks;
  for (const AssetConfig& asset : market.assets) {
    if (!asset.given_surface) continue;
    for (std::size_t i = 0; i < asset.given_surface->points.size(); ++i)
      points.push_back({&asset, i});
    for (std::size_t i = 0; i < asset.given_surface->checks.size(); ++i)
      checks.push_back({&asset, i});
  }
  if (points.empty()) return;
  write_surface_points(w, points);
  write_arbitrage_checks(w, checks);
}

}  // namespace

std::string surfaces_note(const MarketConfig& market) {
  std::string note;
  for (const AssetConfig& asset : market.assets) {
    if (!asset.given_surface) continue;
    const AssetSurface& given = *asset.given_surface;
    const bool has_arbitrage = std::any_of(given.checks.begin(), given.checks.end(),
                                           [](const ExpiryCheck& c) { return c.has_arbitrage(); });
    const std::size_t expiries = given.checks.size();
    note += fmt::format("{}{} of {} ({} {}, {})", note.empty() ? "volatility surfaces: " : ", ",
                        excerpt(given.surface->name()), excerpt(asset.name), expiries,
                        expiries == 1 ? "expiry" : "expiries",
                        has_arbitrage ? "with arbitrage" : "no arbitrage");
  }
  return note;
}

std::vector<std::string> calibration_notes(const MarketConfig& market) {
  std::vector<std::string> notes;
  for (const AssetConfig& asset : market.assets) {
    if (!asset.calibration) continue;
    const CalibrationReport& report = *asset.calibration;
    std::string parameters;
    for (const CalibratedParameter& p : report.parameters)
      parameters += fmt::format("{}{} = {:.5g}", parameters.empty() ? "" : ", ", p.name, p.value);
    const auto size = [](const CalibrationError& e) { return std::fabs(e.model - e.quote); };
    const auto worst = std::max_element(
        report.errors.begin(), report.errors.end(),
        [&](const CalibrationError& a, const CalibrationError& b) { return size(a) < size(b); });
    notes.push_back(fmt::format("{} calibrated to {}: {}; largest error {:.2g} at {}",
                                excerpt(asset.name), excerpt(report.target), parameters,
                                size(*worst), worst->instrument));
  }
  return notes;
}

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
  write_surfaces(w, market);
  write_parameters(w, market);
  write_calibration(w, market);
}

}  // namespace gsim::pricing
