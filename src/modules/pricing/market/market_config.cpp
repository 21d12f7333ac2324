#include "src/modules/pricing/market/market_config.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/market/correlation_config.hpp"
#include "src/modules/pricing/market/market_fields.hpp"
#include "src/modules/pricing/market/path_model_set_up.hpp"

namespace gsim::pricing {
namespace {

// Largest rate and yield of any key; a larger value is probably a percentage. A rate above
// suspicious_rate may also be a percentage and gives a warning.
constexpr double largest_rate = 10, suspicious_rate = 1;

void warn_of_rate(const Section& s, std::string_view key, double rate,
                  std::vector<std::string>& warnings) {
  if (!(rate > suspicious_rate)) return;
  const SourceLocation at = s.location(key);
  warnings.push_back(fmt::format("{}:{}: {}.{} = {:g} is {:g} % a year; did you mean {:g}?",
                                 at.file, at.line, s.path(), key, rate, 100 * rate, rate / 100));
}

// A rate or dividend yield: constant, or zero or forward rates by time.
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
  warn_of_rate(s, key, *std::max_element(given.begin(), given.end()), warnings);
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

void describe_asset(Section& s, AssetConfig& a, std::vector<std::string>& warnings,
                    PathModelKinds kinds) {
  s.required("spot", a.spot, {.doc = "price today", .minimum = 0, .exclusive_minimum = true});
  describe_rate(s, "dividend", a.dividend, "dividend yield", false, warnings);
  std::vector<Section::Alternative> models;
  int black_scholes = 0;  // the default
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const PathModelKind* kind = kinds[i];
    if (kind->name == "black_scholes") black_scholes = static_cast<int>(i);
    models.push_back({std::string(kind->name), std::string(kind->doc), [&a, kind](Section& t) {
                        a.model = kind;
                        set_up_of(a).describe(t, a);
                      }});
  }
  s.alternatives("model", models, black_scholes, {.doc = "how it moves"});
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
