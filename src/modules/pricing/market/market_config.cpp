#include "src/modules/pricing/market/market_config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/calibration/rate_calibration.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/correlation_config.hpp"
#include "src/modules/pricing/market/fixings.hpp"
#include "src/modules/pricing/market/model_keys.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/market/rate_warning.hpp"
#include "src/modules/pricing/market/short_rate_correlation.hpp"
#include "src/modules/pricing/ore/ore_market.hpp"

namespace gsim::pricing {
namespace {

// Largest rate and yield of any key; a larger value is probably a percentage.
constexpr double largest_rate = 10;

constexpr std::string_view rate_kinds[] = {"zero", "forward"};
constexpr int zero_rates = 0;  // position in rate_kinds

// A rate or dividend yield: constant, zero or forward rates by time, or a curve of
// [market.curves].
void describe_rate(Section& s, std::string_view key, FlatOrCurve& rate, const std::string& doc,
                   bool is_required) {
  const KeyInfo info{.doc = doc + ", continuously compounded, or a curve of [market.curves]",
                     .unit = "1/year",
                     .minimum = -1,
                     .maximum = largest_rate};
  const auto describe = [&](Section& t) {
    describe_curve(t, rate.curve, rate_kinds,
                   "\"zero\": zero rates from today to each time, with rate times time linear in "
                   "between; \"forward\": the forward rate of the interval that ends at each time; "
                   "after the last time, the last one is used",
                   info);
  };
  const auto validate = [&](const Section& t) { validate_curve(t, rate.curve); };
  rate.is_curve = s.number_text_or_table(key, rate.flat, rate.name, info,
                                         validated(describe, validate), is_required);
}

// The instantaneous rate; warns of one that may be a percentage.
StepFunction validate_rate(const Section& s, std::string_view key, const FlatOrCurve& rate,
                           MarketConfig& config) {
  const auto& [flat, curve, is_curve, name] = rate;
  if (!name.empty()) return require_curve(s, key, config.curves, name).curve.forward_rates();
  const double largest =
      is_curve ? *std::max_element(curve.values.begin(), curve.values.end()) : flat;
  warn_of_rate(s.location(key), fmt::format("{}.{}", s.path(), key), largest, config.warnings);
  if (!is_curve) return flat;
  if (curve.kind != zero_rates) return {curve.times, curve.values};
  std::vector<double> totals(curve.times.size());
  for (std::size_t i = 0; i < totals.size(); ++i) totals[i] = curve.values[i] * curve.times[i];
  return StepFunction::from_totals(curve.times, totals);
}

/// The spot of an asset or exchange rate, and its model with its keys.
void describe_dynamics(Section& s, AssetInput& a, PathModelKinds kinds) {
  s.required("spot", a.spot, {.doc = "spot price today", .minimum = 0, .exclusive_minimum = true});
  std::vector<Section::Alternative> models;
  int black_scholes = 0;  // the default
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const PathModelKind* kind = kinds[i];
    if (kind->functions != nullptr && kind->functions->is_of_rates) continue;
    if (kind->name == "black_scholes") black_scholes = static_cast<int>(models.size());
    models.push_back({std::string(kind->name), std::string(kind->doc), [&a, kind](Section& t) {
                        a.model = kind;
                        functions_of(a).describe(t, a);
                      }});
  }
  s.alternatives("model", models, black_scholes, {.doc = "dynamics of the spot"});
}

void validate_dynamics(const Section& s, AssetInput& a, MarketConfig& config) {
  a.market = &config;
  const PathModelFunctions& model = functions_of(a);
  if (model.validate != nullptr) model.validate(s, a);
}

/// Keys of an asset besides those of its model.
struct AssetKeys {
  std::string currency;
  DividendInput dividends;
};

void describe_asset(Section& s, AssetInput& a, AssetKeys& keys, PathModelKinds kinds) {
  describe_rate(s, "dividend", a.dividend_yield, "dividend yield", false);
  describe_dividends(s, keys.dividends);
  s.optional("currency", keys.currency,
             {.doc = "currency of the spot; by default that of market.rate"});
  describe_dynamics(s, a, kinds);
}

void validate_asset(const Section& s, AssetInput& a, const AssetKeys& keys, MarketConfig& config) {
  a.dividend = validate_rate(s, "dividend", a.dividend_yield, config);
  if (!keys.currency.empty()) a.currency = require_currency(s, "currency", config, keys.currency);
  a.growth_currency = a.currency;
  validate_dividends(s, keys.dividends, a);
  double excessive = 0;
  set_drops(config, a, &excessive);
  if (excessive > 0)
    s.fail(keys.dividends.file.empty() ? "dividends" : "dividends_file",
           fmt::format("the dividend at {} is more than 99 % of the forward just before it",
                       config.dates.text_of(excessive)));
  validate_dynamics(s, a, config);  // a surface needs the forwards
}

AssetConfig make_exchange_rate(const Section& s, AssetInput& input, MarketConfig& config) {
  input.exchange = exchange_rate_of(s, config, input.name);
  input.currency = input.growth_currency = input.exchange->domestic;
  if (config.find(input.name) >= 0)
    s.fail("", fmt::format("the name `{}` is that of an asset", input.name), "rename the asset");
  input.dividend = config.rate_of(input.exchange->foreign);
  validate_dynamics(s, input, config);
  return input;
}

MarketCurrency make_currency(const Section& s, const std::string& name, const FlatOrCurve& input,
                             MarketConfig& config) {
  if (config.base_name.empty())
    s.fail("", "other currencies need a name of the base currency",
           "give market.currency, the name of the currency of market.rate");
  if (find_currency(config, name) >= 0)
    s.fail("", fmt::format("the currency `{}` is the base currency already", excerpt(name)));
  MarketCurrency currency{name, validate_rate(s, "rate", input, config), {}};
  if (!input.name.empty()) {
    currency.rate_times = find_curve(config.curves, input.name)->curve.times();
    currency.has_zero_rates = true;
  } else if (input.is_curve) {
    currency.rate_times = input.curve.times;
    currency.has_zero_rates = input.curve.kind == zero_rates;
  }
  return currency;
}

/// The names of the tables [market.rates.NAME], and of the curves that they name.
std::set<std::string> names_of_rates(Section& market) {
  std::set<std::string> names;
  market.named_tables(
      "rates",
      [&](Section& table, const std::string& name) {
        std::string discount, forecast;
        table.optional("discount", discount, {});
        table.optional("forecast", forecast, {});
        names.insert({name, discount, forecast});
      },
      "");
  return names;
}

/// The keys of [market.rates.NAME].
struct RateInput {
  ShortRate rate;
  SecondFactor second;
  std::vector<SwaptionQuote> swaptions;
  std::string discount, forecast, currency;
};

/// A parameter of a model, which is required unless there are swaptions.
void describe_parameter(Section& s, const RateInput& input, std::string_view name, double& value,
                        const KeyInfo& info) {
  if (has_values(s) && input.swaptions.empty()) return s.required(name, value, info);
  value = std::numeric_limits<double>::quiet_NaN();
  s.optional(name, value, info);
}

void describe_one_factor(Section& s, RateInput& input) {
  describe_parameter(
      s, input, "mean_reversion", input.rate.mean_reversion,
      {.doc = "speed of mean reversion; without it that of the swaptions, if there are any",
       .unit = "1/year",
       .minimum = -0.5,
       .maximum = 5});
  describe_parameter(
      s, input, "volatility", input.rate.volatility,
      {.doc = "standard deviation of the change of the short rate over a year, without its "
              "mean reversion (0.01: 1 %); with swaptions it is calibrated",
       .unit = "1/year",
       .minimum = 0,
       .maximum = 1});
}

void describe_two_factors(Section& s, RateInput& input) {
  const auto reversion = [&](const char* key, const char* factor, double& value) {
    const std::string doc = std::string("speed of mean reversion of the ") + factor +
                            " factor; without it that of the swaptions, if there are any";
    describe_parameter(s, input, key, value,
                       {.doc = doc, .unit = "1/year", .minimum = -0.5, .maximum = 5});
  };
  const auto volatility = [&](const char* key, const char* factor, double& value) {
    const std::string doc = std::string("standard deviation of the change of the ") + factor +
                            " factor over a year, without its mean reversion (0.01: 1 %); with "
                            "swaptions it is calibrated";
    describe_parameter(s, input, key, value,
                       {.doc = doc, .unit = "1/year", .minimum = 0, .maximum = 1});
  };
  reversion("a", "first", input.rate.mean_reversion);
  volatility("sigma", "first", input.rate.volatility);
  reversion("b", "second", input.second.mean_reversion);
  volatility("eta", "second", input.second.volatility);
  describe_parameter(s, input, "rho", input.second.correlation,
                     {.doc = "correlation of the Brownian motions of both factors; without it that "
                             "of the swaptions, if there are any",
                      .minimum = -1,
                      .maximum = 1});
}

void describe_short_rate(Section& s, RateInput& input) {
  describe_swaption_quotes(s, input.swaptions);
  const int model =
      s.alternatives("model",
                     {{"hull_white", "one factor (Hull and White 1990)",
                       [&](Section& t) { describe_one_factor(t, input); }},
                      {"g2", "two factors, G2++ (Brigo and Mercurio 2006, section 4.2)",
                       [&](Section& t) { describe_two_factors(t, input); }}},
                     0, {.doc = "model of the short rate"});
  if (model == 1) input.rate.second = input.second;
  s.optional("currency", input.currency,
             {.doc = "currency of the payments; by default that of market.rate"});
  s.optional(
      "discount", input.discount,
      {.doc = "curve of [market.curves] that discounts; by default the rate of the currency"});
  s.optional(
      "forecast", input.forecast,
      {.doc = "curve of [market.curves] of the forward rates; by default that of discounting, or "
              "of the index in market_file of [ore]"});
}

/// Sets the forecast curve of an index of the files of [ore]. ConfigError if another one is named.
void set_forecast(const Section& s, const OreMarket& files, const std::string& name,
                  RateInput& input) {
  const std::string curve = files.forecast_curve(name);
  if (curve.empty()) return;
  if (!input.forecast.empty() && input.forecast != curve)
    s.fail("forecast",
           fmt::format("the files of [ore] forecast `{}` with the curve `{}`", excerpt(name),
                       excerpt(curve)),
           "leave out `forecast`");
  input.forecast = curve;
}

AssetConfig make_short_rate(const Section& s, MarketConfig& config, const std::string& name,
                            const RateInput& input, PathModelKinds kinds) {
  AssetConfig asset;
  asset.name = name;
  asset.location = s.location();
  asset.spot = 1;
  asset.short_rate = input.rate;
  const std::string_view model = input.rate.second ? "g2" : "hull_white";
  for (const PathModelKind* kind : kinds)
    if (kind->functions != nullptr && kind->functions->is_of_rates && kind->name == model)
      asset.model = kind;
  if (asset.model == nullptr) s.fail("", "the model of short rates is not registered");
  const auto curve = [&](std::string_view key, const std::string& curve_name) {
    return require_curve(s, key, config.curves, curve_name).curve.forward_rates();
  };
  if (!input.currency.empty())
    asset.currency = require_currency(s, "currency", config, input.currency);
  asset.growth_currency = asset.currency;
  if (!input.discount.empty()) asset.short_rate->discount = curve("discount", input.discount);
  if (!input.forecast.empty()) asset.short_rate->forecast = curve("forecast", input.forecast);
  if (name == "rate") s.fail("", "a short rate cannot have the name `rate`", "rename it");
  if (config.find(name) >= 0)
    s.fail("", fmt::format("the name `{}` is that of an asset", name), "rename one of them");
  if (input.swaptions.empty()) return asset;
  for (const char* key : {"volatility", "sigma", "eta"})
    if (s.has(key))
      s.fail(key, "the volatility is calibrated to the swaptions",
             fmt::format("leave out `{}` or [[swaptions]]", key));
  calibrate_short_rate(s, input.swaptions, config, asset);
  return asset;
}

/// Reads tables of the configuration, and then those of other files, where there are some.
void read_both(Section& market, const MoreTables& more, const Section::Describe& describe) {
  validated(describe, [&](const Section&) {
    if (more) more(describe);
  })(market);
}

/// Appends the rate and, after it, the asset of its second factor, if it has one.
void add_short_rate(AssetConfig rate, MarketConfig& config) {
  const auto first = static_cast<Index>(config.assets.size());
  const bool has_two = rate.short_rate->second.has_value();
  if (has_two) rate.short_rate->second->asset = first + 1;
  config.assets.push_back(rate);
  if (!has_two) return;
  rate.name += " second factor";
  rate.first_factor = first;
  rate.calibration.reset();
  config.assets.push_back(std::move(rate));
}

}  // namespace

Index MarketConfig::find(std::string_view name) const {
  for (std::size_t i = 0; i < assets.size(); ++i)
    if (assets[i].name == name && !assets[i].is_derived()) return static_cast<Index>(i);
  return -1;
}

std::vector<std::string> MarketConfig::names() const {
  std::vector<std::string> list;
  for (const AssetConfig& a : assets)
    if (!a.is_derived()) list.push_back(a.name);
  return list;
}

const StepFunction& MarketConfig::rate_of(Index currency) const {
  return currency == base_currency ? rate : currencies[static_cast<std::size_t>(currency) - 1].rate;
}

double MarketConfig::drift(const AssetConfig& a, double from, double to) const {
  constexpr double same_date = 1e-7;
  if (a.is_rate()) return 0;  // a martingale
  double sum = rate_of(a.growth_currency).integral(from, to) - a.dividend.integral(from, to);
  if (a.converted) sum -= a.quanto.integral(from, to);
  for (const DividendDrop& drop : a.drops)
    if (drop.time > from + same_date && drop.time <= to + same_date) sum += drop.log_factor;
  return sum;
}

std::vector<double> MarketConfig::knots(const AssetConfig& a) const {
  std::vector<double> times;
  for (const StepFunction* f : {&rate_of(a.growth_currency), &a.dividend, &a.variance, &a.quanto})
    for (const double knot : f->knots()) times.push_back(knot);
  for (const double date : drop_dates(a, std::numeric_limits<double>::infinity()))
    times.push_back(date);
  return times;
}

double MarketConfig::correlation_of(Index first, Index second, bool* known) const {
  *known = true;
  if (first == second) return 1;
  const Index x = driver_of(*this, first), y = driver_of(*this, second);
  *known = x >= 0 && y >= 0;
  if (!*known) return 0;
  if (x == y) return 1;
  const AssetConfig &a = assets[static_cast<std::size_t>(x)],
                    &b = assets[static_cast<std::size_t>(y)];
  if (a.first_factor == y || b.first_factor == x) return a.short_rate->second->correlation;
  return correlation_with_short_rate(a) * correlation_with_short_rate(b) *
         configured_correlation(*this, x, y, known);
}

void describe_market(Section& market, MarketConfig& config, bool skip_errors, PathModelKinds kinds,
                     const OreOptions& ore) {
  describe_market_dates(market, config.dates);
  std::unique_ptr<OreMarket> files;
  if (ore.has_market()) {
    if (!config.dates.today)
      ore.keys.fail("market_file", "the market of a file needs the date of today",
                    "set market.date");
    files = std::make_unique<OreMarket>(ore, config.dates, names_of_rates(market));
    for (const std::string& warning : files->warnings()) config.warnings.push_back(warning);
  }
  const auto more = [&](CellTable& (OreMarket::*table)()) -> MoreTables {
    if (files == nullptr) return nullptr;
    return [&config, &files, table](const Section::Describe& describe) {
      (*files.*table)().read(date_reader(config.dates), describe);
    };
  };
  describe_curves(market, config.dates, more(&OreMarket::curves), config.curves, config.warnings);
  // Validated before the assets are read, so that its warning is the first.
  FlatOrCurve rate;
  validated([&](Section& s) { describe_rate(s, "rate", rate, "risk-free rate", true); },
            [&](const Section& s) {
              if (files != nullptr && rate.name != files->discount_curve())
                s.fail("rate",
                       fmt::format("the files of [ore] discount {} with the curve `{}`",
                                   ore.currency, files->discount_curve()),
                       fmt::format("set rate = \"{}\"", files->discount_curve()));
              config.rate = validate_rate(s, "rate", rate, config);
              if (!rate.name.empty()) {
                config.rate_times = find_curve(config.curves, rate.name)->curve.times();
                config.has_zero_rates = true;
              } else if (rate.is_curve) {
                config.rate_times = rate.curve.times;
                config.has_zero_rates = rate.curve.kind == zero_rates;
              }
            })(market);
  validated(
      [&](Section& s) {
        s.optional("currency", config.base_name,
                   {.doc = "name of the base currency, that of `rate` and of all results"});
      },
      [&](const Section& s) {
        if (files == nullptr || !files->has_other_currencies()) return;
        if (!config.base_name.empty() && config.base_name != ore.currency)
          s.fail("currency", fmt::format("the files of [ore] are in {}", ore.currency),
                 "leave out market.currency");
        config.base_name = ore.currency;
      })(market);
  const auto describe_currencies = [&](Section& section) {
    section.named_tables(
        "currencies",
        [&](Section& table, const std::string& name) {
          FlatOrCurve input;
          validated([&](Section& s) { describe_rate(s, "rate", input, "risk-free rate", true); },
                    [&](const Section& s) {
                      config.currencies.push_back(make_currency(s, name, input, config));
                    })(table);
        },
        "currencies besides the base currency, one table each");
  };
  read_both(market, more(&OreMarket::currencies), describe_currencies);
  describe_surfaces(market, config.surfaces);
  describe_credit(market, config.dates, more(&OreMarket::credit), config.curves, config.rate,
                  config.credit, config.warnings);
  bool is_from_file = false;  // an error of an asset is then one of the trades on it
  const auto describe_assets = [&](Section& section) {
    section.named_tables(
        "assets",
        [&](Section& table, const std::string& name) {
          AssetInput asset;
          AssetKeys keys;
          asset.name = name;
          asset.location = table.location();
          if (config.find(name) >= 0)
            table.fail("", fmt::format("the asset `{}` is in the files of [ore] and in "
                                       "[market.assets]",
                                       excerpt(name)));
          try {
            validated([&](Section& s) { describe_asset(s, asset, keys, kinds); },
                      [&](const Section& s) { validate_asset(s, asset, keys, config); })(table);
          } catch (const InputError& error) {
            if (!skip_errors && !is_from_file) throw;
            table.ignore_unread();
            asset.problem = error.what();
          }
          config.assets.push_back(std::move(asset));
        },
        "assets, one table each, under names of your choice");
  };
  validated(describe_assets, [&](const Section&) {
    if (files == nullptr) return;
    is_from_file = true;
    more (&OreMarket::assets)(describe_assets);
    for (const OreProblem& problem : files->problems()) {
      AssetConfig& asset = config.assets.emplace_back();
      asset.name = problem.name;
      asset.problem = problem.message;
    }
  })(market);
  market.named_tables(
      "rates",
      [&](Section& table, const std::string& name) {
        RateInput input;
        AssetConfig rate;
        try {
          validated([&](Section& s) { describe_short_rate(s, input); },
                    [&](const Section& s) {
                      if (files != nullptr) set_forecast(s, *files, name, input);
                      rate = make_short_rate(s, config, name, input, kinds);
                    })(table);
        } catch (const InputError& error) {
          if (!skip_errors) throw;
          table.ignore_unread();
          rate.name = name;
          rate.location = table.location();
          rate.short_rate.emplace();
          rate.problem = error.what();
        }
        add_short_rate(std::move(rate), config);
      },
      "short rates of swaps and options on them, one table each");
  const auto describe_exchange_rates = [&](Section& section) {
    section.named_tables(
        "fx",
        [&](Section& table, const std::string& name) {
          AssetInput input;
          input.name = name;
          input.location = table.location();
          validated([&](Section& s) { describe_dynamics(s, input, kinds); },
                    [&](const Section& s) {
                      config.assets.push_back(make_exchange_rate(s, input, config));
                    })(table);
        },
        "exchange rates, one table each: [market.fx.EURUSD] has the price of one EUR in USD");
  };
  read_both(market, more(&OreMarket::exchange_rates), describe_exchange_rates);
  describe_fixings(market, config);
  CorrelationInput correlation;
  market.optional_table(
      "correlation",
      validated([&](Section& s) { describe_correlation(s, correlation); },
                [&](const Section& s) { validate_correlation(s, correlation, config); }),
      "correlations of the assets; required where a trade depends on more than one asset");
  update_derived_values(config);
}

}  // namespace gsim::pricing
