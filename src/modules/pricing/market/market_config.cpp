#include "src/modules/pricing/market/market_config.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/market/correlation_config.hpp"

namespace gsim::pricing {
namespace {

// Largest rate, yield and volatility, wherever they stand: what is above is a percentage. A rate
// above suspicious_rate may be one, and is asked about.
constexpr double largest_rate = 10, largest_volatility = 10, suspicious_rate = 1;

struct Curve {
  std::vector<double> times, values;
  int kind = 0;
};

void check_rising(const Section& s, std::string_view key, const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] <= (i == 0 ? 0 : times[i - 1]))
      s.fail(key,
             fmt::format("times must be positive and rising, but entry {} is {}", i + 1, times[i]));
}

void describe_curve(Section& s, Curve& curve, std::span<const std::string_view> kinds,
                    const std::string& kinds_doc, const KeyInfo& values) {
  s.required("times", curve.times,
             {.doc = "ends of the intervals, rising", .unit = "years", .min_size = 1});
  s.required("values", curve.values,
             {.doc = "one value per time",
              .unit = values.unit,
              .minimum = values.minimum,
              .maximum = values.maximum,
              .min_size = 1});
  s.optional_word("kind", curve.kind, kinds, {.doc = kinds_doc});
  if (s.describing()) return;
  check_rising(s, "times", curve.times);
  if (curve.values.size() != curve.times.size())
    s.fail("values",
           fmt::format("{} values for {} times", curve.values.size(), curve.times.size()));
}

void ask_about_rate(const Section& s, std::string_view key, double rate,
                    std::vector<std::string>& warnings) {
  if (!(rate > suspicious_rate)) return;
  const SourceLocation at = s.location(key);
  warnings.push_back(fmt::format("{}:{}: {}.{} = {:g} is {:g} % a year; did you mean {:g}?",
                                 at.file, at.line, s.path(), key, rate, 100 * rate, rate / 100));
}

// A rate or dividend yield: flat, or zero or forward rates by time.
void describe_rate(Section& s, std::string_view key, StepFunction& rate, const std::string& doc,
                   bool is_required, std::vector<std::string>& warnings) {
  static constexpr std::string_view kinds[] = {"zero", "forward"};
  const KeyInfo info{.doc = doc + ", continuously compounded",
                     .unit = "1/year",
                     .minimum = -1,
                     .maximum = largest_rate};
  double flat = rate.value(0);
  Curve curve;
  const bool is_table = s.number_or_table(
      key, flat, info,
      [&](Section& t) {
        describe_curve(t, curve, kinds,
                       "\"zero\": average rate from today to each time, its product with time "
                       "linear in between; \"forward\": rate that holds until each time; after "
                       "the last time the last forward rate holds",
                       info);
      },
      is_required);
  if (s.describing()) return;
  const std::vector<double> given = is_table ? curve.values : std::vector<double>{flat};
  ask_about_rate(s, key, *std::max_element(given.begin(), given.end()), warnings);
  if (!is_table) {
    rate = flat;
  } else if (curve.kind == 0) {
    std::vector<double> totals(curve.times.size());
    for (std::size_t i = 0; i < totals.size(); ++i) totals[i] = curve.values[i] * curve.times[i];
    rate = StepFunction::from_totals(curve.times, totals);
  } else {
    rate = {curve.times, curve.values};
  }
}

// Total implied variances must not fall: the forward variance between the two times would be
// negative, a calendar arbitrage.
StepFunction variance_from_implied(const Section& s, const Curve& curve) {
  std::vector<double> totals(curve.times.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    totals[i] = curve.values[i] * curve.values[i] * curve.times[i];
    if (i > 0 && totals[i] < totals[i - 1])
      s.fail("values",
             fmt::format("total variance falls from {:.6g} at {} years to {:.6g} at {} years",
                         totals[i - 1], curve.times[i - 1], totals[i], curve.times[i]),
             fmt::format("a volatility of at least {:.6g} at {} years is consistent with the one "
                         "before; for volatilities that hold between times, say kind = "
                         "\"forward\"",
                         std::sqrt(totals[i - 1] / curve.times[i]), curve.times[i]));
  }
  return StepFunction::from_totals(curve.times, totals);
}

void describe_volatility(Section& s, StepFunction& variance) {
  static constexpr std::string_view kinds[] = {"implied", "forward"};
  const KeyInfo info{.doc = "volatility of the spot's log returns",
                     .unit = "1/sqrt(year)",
                     .minimum = 0,
                     .maximum = largest_volatility};
  double flat = 0;
  Curve curve;
  const bool is_table = s.number_or_table(
      "volatility", flat, info,
      [&](Section& t) {
        describe_curve(t, curve, kinds,
                       "\"implied\": average volatility from today to each time, its squared "
                       "product with time (total variance) linear in between; \"forward\": "
                       "volatility that holds until each time; after the last time the last "
                       "forward volatility holds",
                       info);
        if (!t.describing() && curve.kind == 0) variance = variance_from_implied(t, curve);
      },
      true);
  if (s.describing()) return;
  if (!is_table) {
    variance = flat * flat;
  } else if (curve.kind == 1) {
    for (double& v : curve.values) v *= v;
    variance = {curve.times, curve.values};
  }
}

void describe_heston(Section& s, AssetConfig& a) {
  s.required("v0", a.v0, {.doc = "instantaneous variance today", .unit = "1/year", .minimum = 0});
  s.required("kappa", a.kappa,
             {.doc = "speed of the variance's mean reversion; steps_per_year should be 4 times as "
                     "much, and must be a third",
              .unit = "1/year",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("theta", a.theta, {.doc = "long-run variance", .unit = "1/year", .minimum = 0});
  s.required("sigma", a.sigma,
             {.doc = "volatility of the variance",
              .unit = "1/year",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("rho", a.rho,
             {.doc = "correlation of the spot's and the variance's Brownian motions",
              .minimum = -1,
              .maximum = 1});
}

void describe_jumps(Section& s, AssetConfig& a) {
  s.required(
      "jump_intensity", a.jump_intensity,
      {.doc = "expected number of jumps a year", .unit = "1/year", .minimum = 0, .maximum = 1e4});
  s.required("jump_mean", a.jump_mean,
             {.doc = "mean of the jump of the log-spot", .minimum = -10, .maximum = 10});
  s.required(
      "jump_sd", a.jump_sd,
      {.doc = "standard deviation of the jump of the log-spot", .minimum = 0, .maximum = 10});
}

// One node a row: columns time, spot, volatility; every pair of a time and a spot once.
LocalVolatilityGrid load_local_volatility(const InputFile& file) {
  CsvTable table = CsvTable::parse(file.text, file.path);
  std::map<std::pair<double, double>, double> nodes;
  std::vector<double> times, spots;
  for (Index i = 0; i < table.rows(); ++i)
    table.read_row(i, [&](Section& s) {
      double t = 0, spot = 0, volatility = 0;
      s.required("time", t, {.doc = "years", .unit = "years", .minimum = 0});
      s.required("spot", spot, {.doc = "spot", .minimum = 0, .exclusive_minimum = true});
      s.required("volatility", volatility,
                 {.doc = "local volatility",
                  .unit = "1/sqrt(year)",
                  .minimum = 0,
                  .maximum = largest_volatility});
      if (!nodes.emplace(std::pair{t, spot}, volatility).second)
        s.fail("spot", fmt::format("time {} and spot {} appear twice", t, spot));
      times.push_back(t);
      spots.push_back(spot);
    });
  LocalVolatilityGrid grid;
  const auto distinct = [](std::vector<double>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  };
  distinct(times);
  distinct(spots);
  for (const double t : times) {
    auto& row = grid.volatility.emplace_back();
    for (const double spot : spots) {
      const auto node = nodes.find({t, spot});
      GSIM_VALIDATE(node != nodes.end(),
                    fmt::format("{}: no volatility at time {} and spot {}", file.path, t, spot),
                    "give every pair of a time and a spot one row");
      row.push_back(node->second);
    }
  }
  grid.times = std::move(times);
  grid.spots = std::move(spots);
  return grid;
}

void check_local_volatility(const Section& s, const LocalVolatilityGrid& g) {
  const std::string_view where = s.has("local_volatility") ? "local_volatility" : "local_file";
  const auto rising = [](const std::vector<double>& v) {
    return std::adjacent_find(v.begin(), v.end(), std::greater_equal<>()) == v.end();
  };
  if (!rising(g.times)) s.fail("local_times", "times must be rising");
  if (!rising(g.spots)) s.fail("local_spots", "spots must be rising");
  if (g.spots.size() < 2) s.fail(where, "a local volatility needs at least two spots");
  if (g.volatility.size() != g.times.size())
    s.fail(where, fmt::format("{} rows for {} times", g.volatility.size(), g.times.size()));
  for (std::size_t i = 0; i < g.volatility.size(); ++i)
    if (g.volatility[i].size() != g.spots.size())
      s.fail(where, fmt::format("row {} has {} volatilities for {} spots", i + 1,
                                g.volatility[i].size(), g.spots.size()));
}

void describe_local_volatility(Section& s, AssetConfig& a) {
  std::string file;
  s.optional("local_file", file,
             {.doc = "CSV file with columns time, spot, volatility, one node a row; instead of "
                     "the three keys below"});
  s.optional("local_times", a.local.times,
             {.doc = "rows of the grid", .unit = "years", .minimum = 0});
  s.optional("local_spots", a.local.spots,
             {.doc = "columns of the grid", .minimum = 0, .exclusive_minimum = true});
  s.optional("local_volatility", a.local.volatility,
             {.doc = "one row per time, one volatility per spot; bilinear in time and ln(spot), "
                     "flat outside; n spots that are not equally spaced in ln(spot) are first "
                     "read at max(129, 4n) that are, which rounds corners between these",
              .unit = "1/sqrt(year)",
              .minimum = 0,
              .maximum = largest_volatility});
  if (s.describing()) return;
  const bool inline_grid =
      !a.local.times.empty() || !a.local.spots.empty() || !a.local.volatility.empty();
  if (file.empty() == !inline_grid)
    s.fail(file.empty() ? "model" : "local_file",
           "a local volatility needs either local_file, or local_times, local_spots and "
           "local_volatility");
  if (!file.empty()) a.local = load_local_volatility(s.input_file("local_file", file));
  check_local_volatility(s, a.local);
  for (const auto& row : a.local.volatility)
    for (const double volatility : row) a.local.largest = std::max(a.local.largest, volatility);
}

// What a kind with too many numbers is told, and a share that is no correlation.
void describe_plugged(Section& s, AssetConfig& a, const PathModelKind& kind) {
  a.kind = &kind;
  a.numbers = kind.describe(s, {a.spot});
  if (s.describing()) return;
  if (a.numbers.size() > most_plugin_numbers)
    s.fail("model",
           fmt::format("path model `{}` makes {} numbers of these keys, and {} are the most",
                       kind.name, a.numbers.size(), most_plugin_numbers),
           "shorten its lists");
  const double share = spot_share(a);
  if (!(share > 0 && share <= 1))
    s.fail("model", fmt::format("path model `{}` says that its normal has a correlation of {} with "
                                "the spot, which must be in (0, 1]",
                                kind.name, share));
}

void describe_asset(Section& s, AssetConfig& a, std::vector<std::string>& warnings,
                    PathModelKinds kinds) {
  s.required("spot", a.spot, {.doc = "price today", .minimum = 0, .exclusive_minimum = true});
  describe_rate(s, "dividend", a.dividend, "dividend yield", false, warnings);
  std::vector<Section::Alternative> models = {
      {"black_scholes", "geometric Brownian motion, exact steps (Black and Scholes 1973)",
       [&](Section& t) { describe_volatility(t, a.variance); }},
      {"local_volatility", "volatility as a function of time and spot (Dupire 1994)",
       [&](Section& t) { describe_local_volatility(t, a); }},
      {"merton", "Black-Scholes with lognormal jumps (Merton 1976)",
       [&](Section& t) {
         describe_volatility(t, a.variance);
         describe_jumps(t, a);
       }},
      {"heston", "stochastic variance (Heston 1993), stepped by Andersen's QE scheme (2008)",
       [&](Section& t) { describe_heston(t, a); }},
      {"bates", "Heston with lognormal jumps (Bates 1996)", [&](Section& t) {
         describe_heston(t, a);
         describe_jumps(t, a);
       }}};
  const auto own = static_cast<int>(models.size());
  for (const PathModelKind* kind : kinds) {
    models.push_back({std::string(kind->name), std::string(kind->doc),
                      [&a, kind](Section& t) { describe_plugged(t, a, *kind); }});
  }
  const int chosen = s.alternatives("model", models, 0, {.doc = "how it moves"});
  a.model = chosen < own ? static_cast<ModelKind>(chosen) : ModelKind::plugged;
}

}  // namespace

Index MarketConfig::find(std::string_view name) const {
  for (std::size_t i = 0; i < assets.size(); ++i)
    if (assets[i].name == name) return static_cast<Index>(i);
  return -1;
}

std::vector<std::string> MarketConfig::names() const {
  std::vector<std::string> list;
  for (const AssetConfig& a : assets) list.push_back(a.name);
  return list;
}

double spot_share(const AssetConfig& plugged) {
  return plugged.kind->spot_share != nullptr ? plugged.kind->spot_share(plugged.numbers) : 1;
}

double MarketConfig::correlation_of(Index first, Index second, bool* known) const {
  *known = true;
  if (first == second) return 1;
  const auto position = [&](Index asset) {
    const auto& name = assets[static_cast<std::size_t>(asset)].name;
    return std::find(correlated.begin(), correlated.end(), name) - correlated.begin();
  };
  const auto n = static_cast<Index>(correlated.size());
  const Index i = position(first), j = position(second);
  if (i < n && j < n) return correlation[static_cast<std::size_t>(i * n + j)];
  *known = false;
  return 0;
}

void describe_market(Section& market, MarketConfig& config, bool skip_errors,
                     PathModelKinds kinds) {
  describe_rate(market, "rate", config.rate, "risk-free rate", true, config.warnings);
  market.named_tables(
      "assets",
      [&](Section& s, const std::string& name) {
        AssetConfig asset;
        asset.name = name;
        if (!s.describing()) asset.where = s.location();
        try {
          describe_asset(s, asset, config.warnings, kinds);
        } catch (const InputError& error) {
          if (!skip_errors || s.describing()) throw;
          s.ignore_unread();
          asset.problem = error.what();
        }
        config.assets.push_back(std::move(asset));
      },
      "one table per asset, under a name of your choice");
  market.optional_table(
      "correlation", [&](Section& s) { describe_correlation(s, config); },
      "how the assets move together; needed as soon as a trade depends on two of them");
}

}  // namespace gsim::pricing
