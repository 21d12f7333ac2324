#include "src/modules/pricing/exposures/exposure_options.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exposures/launched_payments.hpp"
#include "src/modules/pricing/exposures/set_numeraires.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/ore/ore_netting_sets.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

constexpr Index max_dates = 2000;

/// One table of [[exposure.netting_sets]].
struct NettingSetInput {
  NettingSet set;
  std::string credit, wrong_way_asset;
};

/// The values of [exposure] that are used by its validation only.
struct ExposureInput {
  std::vector<double> times;
  double dates_per_year = 12;
  std::string own_credit, netting_sets_file;
  std::vector<NettingSetInput> sets;
};

void describe_collateral(Section& s, CollateralTerms& c) {
  const KeyInfo amount{.unit = "currency", .minimum = 0};
  const auto with_doc = [&](const char* doc) {
    KeyInfo info = amount;
    info.doc = doc;
    return info;
  };
  s.optional("threshold", c.threshold,
             with_doc("the counterparty posts what the value of the netting set exceeds it by"));
  s.optional("own_threshold", c.own_threshold,
             with_doc("this party posts what the negative value exceeds it by"));
  s.optional("minimum_transfer", c.minimum_transfer,
             with_doc("smaller changes of the collateral are not made"));
  s.optional("margin_period", c.margin_period,
             {.doc = "time from the last transfer of collateral to the close-out after a default",
              .unit = "years",
              .minimum = 0,
              .maximum = 1});
  s.optional("initial_margin", c.initial_margin,
             with_doc("collateral received besides the variation margin, and kept"));
}

void describe_wrong_way(Section& s, NettingSetInput& input) {
  s.required("asset", input.wrong_way_asset,
             {.doc = "asset whose spot the counterparty's hazard rate is correlated with"});
  s.required("correlation", input.set.wrong_way.correlation,
             {.doc = "correlation of the hazard rate's Brownian motion with the spot's; negative: "
                     "defaults are likelier after a fall of the spot",
              .minimum = -1,
              .maximum = 1});
  s.required("volatility", input.set.wrong_way.volatility,
             {.doc = "volatility of the hazard rate, which is lognormal",
              .unit = "1/sqrt(year)",
              .minimum = 0,
              .maximum = 5});
}

void describe_set(Section& s, NettingSetInput& input) {
  s.required("name", input.set.name,
             {.doc = "name, to which the key netting_set of trades refers"});
  s.optional("credit", input.credit,
             {.doc = "counterparty: one of [market.credit.NAME]; without it no CVA is computed"});
  s.optional(
      "default_correlation", input.set.default_correlation,
      {.doc = "correlation, in a Gaussian copula, of the times at which the counterparty and "
              "this party default, with exposure.first_to_default; positive: both default "
              "rather at similar times",
       .minimum = -0.999,
       .maximum = 0.999});
  input.set.collateral.exists = s.optional_table(
      "collateral", [&](Section& q) { describe_collateral(q, input.set.collateral); },
      "variation margin that both parties post");
  s.optional_table(
      "wrong_way", [&](Section& q) { describe_wrong_way(q, input); },
      "wrong-way risk: a stochastic hazard rate of the counterparty, correlated with a spot");
}

void describe(Section& s, ExposureOptions& o, ExposureInput& input) {
  s.optional("times", input.times,
             {.doc = "dates at which exposures are computed, besides today",
              .unit = "years",
              .minimum = 0,
              .maximum = longest_maturity,
              .exclusive_minimum = true,
              .max_size = max_dates,
              .is_date = true});
  s.optional("dates_per_year", input.dates_per_year,
             {.doc = "without times: number of dates per year, up to the last maturity",
              .unit = "1/year",
              .minimum = 0.1,
              .maximum = 365});
  const double block = static_cast<double>(regression_block);
  s.optional("paths", o.paths,
             {.doc = "paths of a unit of work; the spread of the units gives the errors",
              .minimum = block,
              .maximum = 1 << 24});
  s.optional("regression_paths", o.regression_paths,
             {.doc = "further paths of a unit, from whose payments values are estimated",
              .minimum = block,
              .maximum = 1 << 24});
  s.optional("quantile", o.quantile,
             {.doc = "level of the potential future exposure", .minimum = 0.5, .maximum = 0.9999});
  s.optional("own_credit", input.own_credit,
             {.doc = "this party: one of [market.credit.NAME]; without it no DVA is computed"});
  s.optional("first_to_default", o.first_to_default,
             {.doc = "whether CVA and DVA consider the first default of the two parties only "
                     "(bilateral adjustments), instead of each default as if the other party had "
                     "none"});
  const KeyInfo spread{
      .doc = "spread over the risk-free rate at which positive exposures are funded",
      .unit = "1/year",
      .minimum = -1,
      .maximum = 1};
  s.optional("borrowing_spread", o.borrowing_spread, spread);
  KeyInfo lending = spread;
  lending.doc = "spread over the risk-free rate that negative exposures earn";
  s.optional("lending_spread", o.lending_spread, lending);
  s.tables(
      "netting_sets", input.sets, [](Section& q, NettingSetInput& set) { describe_set(q, set); },
      "netting sets: trades with one counterparty whose values are netted");
  s.optional(
      "netting_sets_file", input.netting_sets_file,
      {.doc = "netting.xml of Open Source Risk Engine: netting sets, besides those of "
              "[[netting_sets]]; those without a trade are left out, and the credit of a set "
              "is the counterparty of its trades"});
}

/// The netting sets of the file that have trades.
void read_netting_sets_file(const Section& s, PricingConfig& config, ExposureInput& input) {
  if (input.netting_sets_file.empty()) return;
  const InputFile& file = s.input_file("netting_sets_file", input.netting_sets_file);
  const XmlDocument document(file, "NettingSetDefinitions");
  std::set<std::string> used, credits;
  for (const TradeConfig& t : config.trades) {
    if (t.netting_set.empty())
      throw ConfigError(
          t.source.location(),
          fmt::format("trade `{}` names no netting set, with exposure.netting_sets_file",
                      excerpt(t.id)),
          "give <NettingSetId> in the <Envelope> of the trade, or the key netting_set");
    used.insert(t.netting_set);
  }
  for (const MarketCredit& credit : config.market.credit) credits.insert(credit.name);
  const std::string& currency =
      config.ore_currency.empty() ? config.market.base_name : config.ore_currency;
  CellTable table = ore_netting_sets(document, currency, used, config.counterparties, credits);
  document.warn_of_ignored(config.market.warnings);
  std::vector<NettingSetInput> sets;
  table.read(date_reader(config.market.dates), [&](Section& top) {
    top.tables(
        "netting_sets", sets, [](Section& q, NettingSetInput& set) { describe_set(q, set); }, "");
  });
  for (NettingSetInput& set : sets) {
    if (set.credit.empty())
      config.market.warnings.push_back(
          fmt::format("{}: no CVA of netting set `{}`: [market.credit] has no counterparty of its "
                      "trades",
                      file.path, set.set.name));
    input.sets.push_back(std::move(set));
  }
}

const MarketCredit* credit_of(const Section& s, std::string_view key, const PricingConfig& config,
                              const std::string& name) {
  if (name.empty()) return nullptr;
  if (const MarketCredit* credit = find_credit(config.market.credit, name)) return credit;
  std::vector<std::string> names;
  for (const MarketCredit& c : config.market.credit) names.push_back(c.name);
  s.fail(key, fmt::format("there is no [market.credit.{}]", excerpt(name)),
         suggest_known(name, names, "credit curves"));
}

WrongWayTerms wrong_way_of(const Section& s, const PricingConfig& config,
                           const NettingSetInput& input) {
  WrongWayTerms terms = input.set.wrong_way;
  if (input.wrong_way_asset.empty()) return terms;
  terms.asset = config.market.find(input.wrong_way_asset);
  const auto fail = [&](const std::string& problem) {
    s.fail("netting_sets", fmt::format("netting set `{}`: {}", excerpt(input.set.name), problem));
  };
  if (terms.asset < 0) fail(fmt::format("there is no asset `{}`", excerpt(input.wrong_way_asset)));
  const MarketView view{&config.market, nullptr};
  if (!view.is_black_scholes(terms.asset))
    fail("wrong-way risk needs an asset with the model black_scholes");
  if (input.credit.empty()) fail("wrong-way risk needs a credit");
  return terms;
}

void validate_sets(const Section& s, const PricingConfig& config, const ExposureInput& input,
                   ExposureOptions& o) {
  if (input.sets.empty())
    s.fail("netting_sets", "there is no netting set", "add [[exposure.netting_sets]]");
  std::vector<std::string> names;
  for (const NettingSetInput& set : input.sets) {
    if (std::find(names.begin(), names.end(), set.set.name) != names.end())
      s.fail("netting_sets", fmt::format("the name `{}` appears twice", excerpt(set.set.name)));
    names.push_back(set.set.name);
    o.sets.push_back(set.set);
    o.sets.back().credit = credit_of(s, "netting_sets", config, set.credit);
    o.sets.back().wrong_way = wrong_way_of(s, config, set);
  }
}

void check_first_to_default(const Section& s, const ExposureOptions& o) {
  if (o.first_to_default && o.own_credit == nullptr)
    s.fail("first_to_default", "the first default of both parties needs this party's own_credit",
           "add own_credit, or leave first_to_default out");
  for (const NettingSet& set : o.sets) {
    const auto fail = [&](const char* problem, const char* suggestion) {
      s.fail("netting_sets", fmt::format("netting set `{}`: {}", excerpt(set.name), problem),
             suggestion);
    };
    if (o.first_to_default && set.credit == nullptr)
      fail("the first default of both parties needs the credit of the counterparty",
           "add credit, or leave first_to_default out");
    if (set.default_correlation == 0) continue;
    if (!o.first_to_default)
      fail("default_correlation has no effect without exposure.first_to_default",
           "add first_to_default = true to [exposure], or leave default_correlation out");
    if (set.wrong_way.asset >= 0)
      fail("default_correlation and wrong_way cannot be combined", "leave one of them out");
  }
}

/// The assets of wrong-way risk are simulated.
void check_wrong_way(const Section& s, const PricingConfig& config, const ExposureOptions& o) {
  for (const NettingSet& set : o.sets) {
    const auto has_asset = [&](const TradeConfig& t) {
      return std::find(t.assets.begin(), t.assets.end(), set.wrong_way.asset) != t.assets.end();
    };
    if (set.wrong_way.asset >= 0 &&
        std::none_of(config.trades.begin(), config.trades.end(), has_asset))
      s.fail("netting_sets",
             fmt::format("netting set `{}`: no trade has the asset of its wrong-way risk as an "
                         "underlying that is paid in its own currency; exchange rates that only "
                         "convert values are not supported",
                         excerpt(set.name)));
  }
}

void validate_dates(const Section& s, const PricingConfig& config, const ExposureInput& input,
                    ExposureOptions& o) {
  double last = 0;
  for (const TradeConfig& t : config.trades) last = std::max(last, last_payment_date(t));
  o.dates = input.times;
  if (s.has("times")) {
    for (std::size_t i = 1; i < o.dates.size(); ++i)
      if (o.dates[i] - o.dates[i - 1] <= same_date)
        s.fail("times", fmt::format("the times must increase, and {:g} follows {:g}", o.dates[i],
                                    o.dates[i - 1]));
    if (o.dates.empty()) s.fail("times", "there is no time");
    return;
  }
  const double n = std::ceil(last * input.dates_per_year - 1e-9);
  if (n > static_cast<double>(max_dates))
    s.fail(
        "dates_per_year",
        fmt::format("{:g} dates until the last maturity, {:g} years, and at most {} are supported",
                    n, last, max_dates),
        "give fewer dates per year, or times");
  for (double i = 1; i < n; ++i) o.dates.push_back(i / input.dates_per_year);
  o.dates.push_back(last);
}

/// Index of the trade's netting set. ConfigError if there is none, or if values on paths do not
/// support the trade.
Index netting_set_of(const TradeConfig& t, const PricingConfig& config, const ExposureOptions& o) {
  const auto unsupported = [&](const std::string& what) {
    throw ConfigError(
        t.source.location(),
        fmt::format("trade `{}`: the module exposure does not support {}", excerpt(t.id), what),
        "leave the trade out, or price it with module = \"pricing\"");
  };
  const AssetConfig& asset = config.market.assets[static_cast<std::size_t>(t.assets.front())];
  if (asset.is_rate() && asset.short_rate->discount)
    unsupported("rates that are discounted with a curve of their own");
  if (asset.converted && asset.converted->conversion == Conversion::composite)
    unsupported("composites");
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  if (payoff.pays_before_maturity && payoff.rate_value == nullptr)
    unsupported("payments at several dates");
  if (t.exercise.is_early()) {
    const bool has_lag = longest_lag(t) != 0 && t.payoff->launchers.f64_strict != nullptr;
    if (has_lag && t.exercise.today)
      unsupported("a right to exercise today with payments after their fixings");
    if (has_lag && may_choose_when_paid(t))
      unsupported(
          "a right to exercise at the maturity with payments that have another lag than "
          "payment_lag");
  }
  if (t.netting_set.empty() && o.sets.size() == 1) return 0;
  std::vector<std::string> names;
  for (const NettingSet& set : o.sets) names.push_back(set.name);
  const auto at = std::find(names.begin(), names.end(), t.netting_set);
  if (at == names.end())
    throw ConfigError(t.source.location(),
                      t.netting_set.empty()
                          ? fmt::format("trade `{}` names no netting_set", excerpt(t.id))
                          : fmt::format("trade `{}`: there is no netting set `{}`", excerpt(t.id),
                                        excerpt(t.netting_set)),
                      suggest_known(t.netting_set, names, "netting sets"));
  return at - names.begin();
}

/// The trade's assets and the exchange rate of its currency under the measure of the base currency.
BaseMeasure base_measure_of(const Section& s, const TradeConfig& t, MarketConfig& market) {
  BaseMeasure measure;
  if (t.currency == base_currency) return measure;
  const auto under_base = [&](Index i) {
    if (market.assets[static_cast<std::size_t>(i)].is_rate()) return i;
    const auto& converted = market.assets[static_cast<std::size_t>(i)].converted;
    if (converted) i = converted->source;  // a quanto of another currency
    if (market.assets[static_cast<std::size_t>(i)].currency == base_currency) return i;
    try {
      return find_converted(s, "", market, i, base_currency, Conversion::quanto);
    } catch (ConfigError& error) {
      error.add_line(fmt::format("in trade `{}`, which is paid in {}", excerpt(t.id),
                                 currency_name(market, t.currency)));
      throw;
    }
  };
  bool connected = false;
  for (CurrencyLeg leg : currency_legs(market, t.currency, base_currency, &connected)) {
    leg.pair = under_base(leg.pair);
    measure.legs.push_back(leg);
  }
  for (const Index i : t.assets) measure.assets.push_back(under_base(i));
  return measure;
}

/// Sets the netting sets of the trades. With on_error = "skip", trades with an error are skipped.
void validate_trades(const Section& s, PricingConfig& config, ExposureOptions& o) {
  std::vector<TradeConfig> trades;
  for (TradeConfig& t : config.trades) {
    try {
      const Index set = netting_set_of(t, config, o);
      o.base_measures.push_back(base_measure_of(s, t, config.market));
      o.set_of_trade.push_back(set);
      // A cap matures at its last fixing, and has a value until its last payment.
      const PayoffFunctions& payoff = functions_of(*t.payoff);
      if (payoff.pays_before_maturity && payoff.rate_value != nullptr) t.maturity = last_payment(t);
      trades.push_back(std::move(t));
    } catch (const ConfigError& error) {
      if (config.options.on_error == OnError::stop) throw;
      config.skipped.push_back({t.id, error.what()});
    }
  }
  config.trades = std::move(trades);
}

void validate(const Section& s, PricingConfig& config, ExposureInput& input, ExposureOptions& o) {
  read_netting_sets_file(s, config, input);
  for (const auto& [key, paths] :
       {std::pair{"paths", o.paths}, std::pair{"regression_paths", o.regression_paths}})
    if (paths % regression_block != 0)
      s.fail(key, fmt::format("{} is not a multiple of {}", paths, regression_block));
  validate_sets(s, config, input, o);
  validate_trades(s, config, o);
  if (config.trades.empty()) s.fail("", "all trades are skipped");
  set_numeraires(s, config, o);
  check_wrong_way(s, config, o);
  validate_dates(s, config, input, o);
  o.own_credit = credit_of(s, "own_credit", config, input.own_credit);
  check_first_to_default(s, o);
}

}  // namespace

void describe_exposure(Section& top, PricingConfig& config, ExposureOptions& options) {
  options = {};
  ExposureInput input;
  const auto read = validated([&](Section& s) { describe(s, options, input); },
                              [&](const Section& s) { validate(s, config, input, options); });
  top.required_table("exposure", read, "exposures by netting set, and valuation adjustments");
}

}  // namespace gsim::pricing
