// Local volatility: a function of time and spot on a grid (Dupire 1994).

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/volatility/local_volatility_grid.hpp"

namespace gsim::pricing {
namespace local_volatility_model {
namespace {

// Each row is one node with the columns time, spot and volatility; every pair of a time and a spot
// occurs once.
LocalVolatilityGrid load_local_volatility(const Section& asset, const InputFile& file) {
  CsvTable table = CsvTable::parse(file.text, file.path);
  table.read_dates_as(asset);
  std::map<std::pair<double, double>, double> nodes;
  std::vector<double> times, spots;
  for (Index i = 0; i < table.rows(); ++i) {
    double t = 0, spot = 0, volatility = 0;
    const auto describe = [&](Section& s) {
      s.required("time", t,
                 {.doc = "time of the node", .unit = "years", .minimum = 0, .is_date = true});
      s.required("spot", spot,
                 {.doc = "spot of the node", .minimum = 0, .exclusive_minimum = true});
      s.required("volatility", volatility,
                 {.doc = "local volatility",
                  .unit = "1/sqrt(year)",
                  .minimum = 0,
                  .maximum = largest_volatility});
    };
    const auto validate = [&](const Section& s) {
      if (!nodes.emplace(std::pair{t, spot}, volatility).second)
        s.fail("spot", fmt::format("time {} and spot {} appear twice", t, spot));
      times.push_back(t);
      spots.push_back(spot);
    };
    table.read_row(i, validated(describe, validate));
  }
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
  const std::string_view grid_key = s.has("local_volatility") ? "local_volatility" : "local_file";
  const auto rising = [](const std::vector<double>& v) {
    return std::adjacent_find(v.begin(), v.end(), std::greater_equal<>()) == v.end();
  };
  if (!rising(g.times)) s.fail("local_times", "times must be rising");
  if (!rising(g.spots)) s.fail("local_spots", "spots must be rising");
  if (g.spots.size() < 2) s.fail(grid_key, "a local volatility needs at least two spots");
  if (g.volatility.size() != g.times.size())
    s.fail(grid_key, fmt::format("{} rows for {} times", g.volatility.size(), g.times.size()));
  for (std::size_t i = 0; i < g.volatility.size(); ++i)
    if (g.volatility[i].size() != g.spots.size())
      s.fail(grid_key, fmt::format("row {} has {} volatilities for {} spots", i + 1,
                                   g.volatility[i].size(), g.spots.size()));
}

void describe_surface_name(Section& s, std::string& name) {
  try {
    s.optional("volatility", name,
               {.doc = "surface of [market.volatility_surfaces], from whose implied volatilities "
                       "the local ones follow (Dupire 1994); replaces the next four keys"});
  } catch (ConfigError& error) {
    error.add_line(
        "it is the name of a surface; for a constant volatility set model = "
        "\"black_scholes\"");
    throw;
  }
}

void describe(Section& s, AssetInput& a) {
  describe_surface_name(s, a.volatility.name);
  s.optional("local_file", a.local_file,
             {.doc = "CSV file of the grid with the columns time, spot and volatility, one node "
                     "per row; replaces the next three keys"});
  s.optional(
      "local_times", a.local.times,
      {.doc = "times of the rows of the grid", .unit = "years", .minimum = 0, .is_date = true});
  s.optional("local_spots", a.local.spots,
             {.doc = "spots of the columns of the grid", .minimum = 0, .exclusive_minimum = true});
  s.optional("local_volatility", a.local.volatility,
             {.doc = "local volatilities, one row per time and one column per spot; interpolated "
                     "bilinearly in time and ln(spot), constant outside the grid. If n spots are "
                     "not equally spaced in ln(spot), the grid is resampled at max(129, 4n) "
                     "equally spaced points, which smooths its kinks",
              .unit = "1/sqrt(year)",
              .minimum = 0,
              .maximum = largest_volatility});
}

void validate(const Section& s, AssetInput& a) {
  const bool inline_grid =
      !a.local.times.empty() || !a.local.spots.empty() || !a.local.volatility.empty();
  if (inline_grid + !a.local_file.empty() + !a.volatility.name.empty() != 1)
    s.fail(a.local_file.empty() ? "model" : "local_file",
           "a local volatility needs one of: volatility, the name of a surface; local_file; or "
           "local_times, local_spots and local_volatility");
  if (!a.volatility.name.empty()) {
    set_surface(s, a);
    a.local = local_volatility_grid(*a.surface);
    return;
  }
  if (!a.local_file.empty())
    a.local = load_local_volatility(s, s.input_file("local_file", a.local_file));
  check_local_volatility(s, a.local);
  for (const auto& row : a.local.volatility)
    for (const double volatility : row) a.local.largest = std::max(a.local.largest, volatility);
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (at <= x.front()) return y.front();
  if (at >= x.back()) return y.back();
  const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const double w = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return y[i - 1] + w * (y[i] - y[i - 1]);
}

// Kernels need equally spaced log-spots. A grid with this spacing is used directly; any other grid
// is resampled by linear interpolation at four times as many points (at least 129).
void set_up(const AssetConfig& a, const TimeGrid& time_grid, AssetDynamics& d) {
  const LocalVolatilityGrid& grid = a.local;
  std::vector<double> logs;
  for (const double s : grid.spots) logs.push_back(logarithm(s));
  const std::size_t n = logs.size();
  const auto equally_spaced = [&](std::size_t points) {
    std::vector<double> x(points);
    for (std::size_t i = 0; i < points; ++i)
      x[i] = logs.front() + (logs.back() - logs.front()) * static_cast<double>(i) /
                                static_cast<double>(points - 1);
    return x;
  };
  d.lv_log_spots = equally_spaced(n);
  bool is_equally_spaced = true;
  for (std::size_t i = 0; i < n; ++i)
    is_equally_spaced = is_equally_spaced && std::fabs(d.lv_log_spots[i] - logs[i]) < 1e-9;
  if (!is_equally_spaced) d.lv_log_spots = equally_spaced(std::max<std::size_t>(129, 4 * n));
  d.lv_times = grid.times;
  for (const auto& row : grid.volatility)
    for (std::size_t i = 0; i < d.lv_log_spots.size(); ++i)
      d.lv_volatility.push_back(is_equally_spaced ? row[i]
                                                  : interpolate(logs, row, d.lv_log_spots[i]));
  // The standard deviation if the volatility were that of the first row at the middle spot.
  d.deviation = d.lv_volatility[d.lv_log_spots.size() / 2] * std::sqrt(time_grid.times.back());
}

bool is_random(const AssetConfig& a, double) {
  for (const auto& row : a.local.volatility)
    for (const double v : row)
      if (v > 0) return true;
  return false;
}

// The local variance at the first time and the lowest spot of the grid that is not below today's.
double mean_variance(const AssetConfig& a, double) {
  const auto& spots = a.local.spots;
  const auto above = std::lower_bound(spots.begin(), spots.end(), a.spot) - spots.begin();
  const auto column = std::min<Index>(above, static_cast<Index>(spots.size()) - 1);
  return square(a.local.volatility.front()[static_cast<std::size_t>(column)]);
}

double log_variance(const AssetConfig& a, double date) { return square(a.local.largest) * date; }

}  // namespace
}  // namespace local_volatility_model

void register_local_volatility(Registry& registry) {
  static constexpr PathModelFunctions functions{
      .scheme = StepScheme::local_volatility,
      .describe = local_volatility_model::describe,
      .validate = local_volatility_model::validate,
      .set_up = local_volatility_model::set_up,
      .is_random = local_volatility_model::is_random,
      .mean_variance = local_volatility_model::mean_variance,
      .log_variance = local_volatility_model::log_variance,
  };
  registry.extend(PathModelKind{.name = "local_volatility",
                                .doc = "volatility as a function of time and spot (Dupire 1994)",
                                .bridged = true,
                                .small_steps = true,
                                .functions = &functions});
}

}  // namespace gsim::pricing
