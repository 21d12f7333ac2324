#include "src/modules/pricing/pricing_config.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "gsim/core/reading_progress.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/ore/ore_options.hpp"
#include "src/modules/pricing/ore/ore_trades.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"
#include "src/modules/pricing/volatility/arbitrage_checks.hpp"
#include "src/modules/pricing/volatility/local_volatility_grid.hpp"

namespace gsim::pricing {
namespace {

void describe_options(Section& s, PricingOptions& o) {
  static constexpr std::string_view precisions[] = {"double", "float"};
  static constexpr std::string_view samplings[] = {"pseudo_random", "sobol"};
  static constexpr std::string_view controls[] = {"auto", "none", "spot"};
  static constexpr std::string_view on_errors[] = {"stop", "skip"};
  s.optional("precision", o.precision, precisions,
             {.doc = "floating-point type of the paths; sums over samples are always double"});
  s.optional(
      "sampling", o.sampling, samplings,
      {.doc = "random numbers of the paths: Philox numbers, or Owen-scrambled Sobol points"});
  o.sampling_at = s.location("sampling");
  s.optional(
      "replicates", o.replicates,
      {.doc = "with sobol: number of independent scramblings, whose spread gives the standard "
              "error; with fewer than 128, confidence intervals cover less than their level",
       .minimum = 2,
       .maximum = 1024});
  s.optional("brownian_bridge", o.brownian_bridge,
             {.doc = "with sobol: Brownian-bridge construction of paths, in which the first "
                     "dimensions of the points determine their coarse shape"});
  s.optional(
      "antithetic", o.antithetic,
      {.doc = "antithetic sampling: one sample is the mean over a path and its antithetic path"});
  s.optional(
      "conditional", o.conditional,
      {.doc = "conditional Monte Carlo for heston and bates: one sample is the expectation of the "
              "payoff conditional on the path of the variance; European and digital options only"});
  s.optional("control_variates", o.control_variates, controls,
             {.doc = "control variates: \"auto\": a related payoff with a closed form where there "
                     "is one, otherwise the discounted spot; \"spot\": always the discounted spot, "
                     "which reduces the variance of calls on volatile baskets more"});
  s.optional("importance_sampling", o.importance_sampling,
             {.doc = "importance sampling of trades that pay on few paths, under an exponentially "
                     "tilted distribution of normals and jumps, where trial samples show that it "
                     "at least halves the variance"});
  s.optional(
      "steps_per_year", o.steps_per_year,
      {.doc =
           "minimum number of time steps per year where paths are discretised (local_volatility, "
           "heston, bates; continuous monitoring of jumps); for heston and bates, 4 kappa or more "
           "keep the discretisation bias below 0.1 % of an at-the-money call",
       .unit = "1/year",
       .minimum = 1,
       .maximum = max_steps_per_year});
  s.optional("confidence", o.confidence,
             {.doc = "level of the confidence intervals", .minimum = 0.5, .maximum = 0.999999});
  s.optional(
      "total_error", o.total_error,
      {.doc = "target standard error of the value of the whole portfolio, which takes the "
              "correlation of the trades' errors into account (0: none); at every evaluation, the "
              "trades that contribute least for their cost take no further samples (with sobol all "
              "do)",
       .unit = "currency",
       .minimum = 0});
  s.optional_table(
      "exercise", [&](Section& q) { describe_exercise_options(q, o.exercise); },
      "exercise policies of trades with early exercise, by least-squares Monte Carlo");
  s.optional("on_error", o.on_error, on_errors,
             {.doc = "treatment of invalid market or trade data: end the run, or skip the trades "
                     "concerned and list them in the results"});
  describe_greeks(s, o.greeks);
  describe_scripts(s, o.scripts);
}

// A conditional expectation given the path of the variance cannot be exercised.
void check_conditional_exercise(const Section& s, const TradeConfig& t) {
  if (t.exercise.is_early())
    s.fail("exercise", "pricing.conditional supports European exercise only",
           "leave pricing.conditional out, or price this trade in a run of its own");
}

// Conditional on the variance path, only payoffs of the last spot have a closed form.
void check_conditional(const Section& s, const MarketConfig& market, const TradeConfig& t) {
  if (!functions_of(*t.payoff).has_conditional_form)
    s.fail("product", "pricing.conditional supports European and digital options only",
           "leave pricing.conditional out, or price this trade in a run of its own");
  const AssetConfig& asset = market.assets[static_cast<std::size_t>(t.assets.front())];
  if (!functions_of(asset).has_own_variance)
    s.fail(
        "asset",
        fmt::format(
            "pricing.conditional supports the models heston and bates only; `{}` has another one",
            excerpt(asset.name)),
        "leave pricing.conditional out, or price this trade in a run of its own");
}

// Extremes between simulated dates are drawn from a Brownian bridge, which some models of plugins
// do not have.
void check_monitoring(const Section& s, const MarketConfig& market, const TradeConfig& t) {
  if (!t.continuous) return;
  const AssetConfig& asset = market.assets[static_cast<std::size_t>(t.assets.front())];
  if (asset.model->bridged) return;
  s.fail(s.has("monitoring") ? "monitoring" : "product",
         fmt::format("model `{}` of asset `{}` has no Brownian bridge between simulated dates, so "
                     "that its paths cannot be monitored continuously",
                     asset.model->name, excerpt(asset.name)),
         "set monitoring = \"discrete\", with a schedule");
}

// Reads one trade into the list, or records why it is skipped.
void read_trade(Section& s, PricingConfig& config, TradeReader& reader, bool is_row) {
  TradeInput trade;
  trade.is_row = is_row;
  trade.script_input.library = &config.options.scripts;
  const auto describe = [&](Section& section) { reader.describe(section, trade); };
  const auto validate = [&](const Section& section) {
    reader.validate(section, trade);
    validate_exercise(section, config.options.exercise, trade);
    if (config.options.conditional) {
      check_conditional(section, config.market, trade);
      check_conditional_exercise(section, trade);
    }
    check_monitoring(section, config.market, trade);
    check_trade(config, trade, section);
    config.trades.push_back(std::move(trade));
  };
  try {
    validated(describe, validate)(s);
  } catch (ConfigError& error) {
    if (!trade.id.empty()) error.add_line(fmt::format("in trade `{}`", excerpt(trade.id)));
    if (config.options.on_error == OnError::stop) throw;
    s.ignore_unread();
    config.skipped.push_back({trade.id, error.what()});
  }
}

void read_trades_file(const Section& top, const InputFile& file, PricingConfig& config,
                      TradeReader& reader) {
  constexpr Index rows_per_report = 1 << 14;
  CsvTable table = CsvTable::parse(file.text, file.path);
  table.read_dates_as(top);
  config.trades.reserve(config.trades.size() + static_cast<std::size_t>(table.rows()));
  for (Index i = 0; i < table.rows(); ++i) {
    if (i % rows_per_report == 0) report_reading({file.path, i, table.rows()});
    const std::size_t before = config.trades.size();
    try {
      table.read_row(i, [&](Section& row) { read_trade(row, config, reader, true); });
    } catch (const ConfigError& error) {
      // An unused cell of the trade, detected after the trade was read.
      if (config.options.on_error == OnError::stop) throw;
      const std::string id = config.trades.size() > before ? config.trades.back().id : "";
      config.trades.erase(config.trades.begin() + static_cast<Index>(before), config.trades.end());
      config.skipped.push_back({id, error.what()});
    }
  }
}

// The counterparty of a netting set; trades of one set have the same.
void note_counterparty(const XmlElement& element, const OreTrade& trade, PricingConfig& config) {
  if (trade.netting_set.empty() || trade.counterparty.empty()) return;
  const auto [known, is_new] = config.counterparties.emplace(trade.netting_set, trade.counterparty);
  if (!is_new && known->second != trade.counterparty)
    element.fail(fmt::format("netting set `{}` has trades with `{}` and with `{}`",
                             excerpt(trade.netting_set), excerpt(known->second),
                             excerpt(trade.counterparty)));
}

void read_ore_trade(const XmlElement& element, const OreContext& context, PricingConfig& config,
                    TradeReader& reader) {
  const std::string id = element.attribute("id");
  const std::size_t before = config.trades.size();
  try {
    OreTrade trade = [&] {
      try {
        OreTrade translated = ore_trade(element, context);
        note_counterparty(element, translated, config);
        return translated;
      } catch (ConfigError& error) {
        error.add_line(fmt::format("in trade `{}`", excerpt(id)));
        throw;
      }
    }();
    trade.row.read(date_reader(config.market.dates),
                   [&](Section& row) { read_trade(row, config, reader, true); });
  } catch (const ConfigError& error) {
    if (config.options.on_error == OnError::stop) throw;
    element.ignore_unread();
    config.trades.erase(config.trades.begin() + static_cast<Index>(before), config.trades.end());
    config.skipped.push_back({id, error.what()});
  }
}

void read_portfolio(const OreOptions& ore, PricingConfig& config, TradeReader& reader) {
  const MarketConfig& market = config.market;
  if (!market.dates.today)
    ore.keys.fail("portfolio_file", "the trades have dates, and the date of today is not given",
                  "set market.date");
  const OreFixings fixings = ore.fixings == nullptr ? OreFixings() : OreFixings(*ore.fixings);
  const XmlDocument document(*ore.portfolio, "Portfolio");
  const OreContext context{ore.currency, &market, &market.dates, &fixings};
  const std::vector<XmlElement> trades = document.root().all("Trade");
  for (const XmlElement& trade : trades) read_ore_trade(trade, context, config, reader);
  document.root().refuse_unread();
  document.warn_of_ignored(config.market.warnings);
}

// A run without trades would succeed and could be mistaken for a priced portfolio.
[[noreturn]] void fail_without_trades(const std::vector<SkippedTrade>& skipped) {
  constexpr std::size_t max_reasons = 5;
  std::string message =
      fmt::format("no trade is left to price: all {} are skipped", skipped.size());
  for (std::size_t i = 0; i < std::min(skipped.size(), max_reasons); ++i)
    message += "\n" + skipped[i].reason;
  if (skipped.size() > max_reasons)
    message += fmt::format("\n… and {} more", skipped.size() - max_reasons);
  throw ConfigError(message);
}

// Files of trades.
using TradeFiles = std::vector<const InputFile*>;

// Location of a trade, with the text of its line if it is in one of `files`.
SourceLocation trade_location(const TradeFiles& files, const TradeConfig& trade) {
  SourceLocation at = trade.source.location();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const InputFile* f) { return f->path == at.file; });
  if (!trade.is_row || file == files.end()) return at;
  std::string_view text_from_line = (*file)->text;
  for (int line = 1; line < at.line; ++line)
    text_from_line.remove_prefix(std::min(text_from_line.size(), text_from_line.find('\n') + 1));
  at.text = std::string(text_from_line.substr(0, text_from_line.find_first_of("\r\n")));
  return at;
}

// Checks that ids are unique, because results are looked up by id. Only indices of trades are
// sorted: copies of millions of trades would take too much memory.
void check_ids(PricingConfig& config, const TradeFiles& files) {
  std::unordered_map<std::string_view, std::size_t> first_by_id;
  first_by_id.reserve(config.trades.size());
  std::vector<std::uint8_t> is_duplicate;
  for (std::size_t i = 0; i < config.trades.size(); ++i) {
    const TradeConfig& trade = config.trades[i];
    const auto [first, is_new] = first_by_id.emplace(trade.id, i);
    if (is_new) continue;
    const ConfigError error(trade_location(files, trade),
                            fmt::format("trade id `{}` is already used at {}", excerpt(trade.id),
                                        to_string(config.trades[first->second].source.location())),
                            "give every trade its own id");
    if (config.options.on_error == OnError::stop) throw error;
    config.skipped.push_back({trade.id, error.what()});
    is_duplicate.resize(config.trades.size());
    is_duplicate[i] = 1;
  }
  if (is_duplicate.empty()) return;
  std::size_t i = 0;
  std::erase_if(config.trades, [&](const TradeConfig&) { return is_duplicate[i++] != 0; });
}

void describe_tables(Section& top, PricingConfig& config, PathModelKinds models,
                     TradeReader& reader, std::string& trades_file, OreOptions& ore) {
  top.optional_table(
      "pricing",
      validated([&](Section& s) { describe_options(s, config.options); },
                [&](const Section& s) { validate_greeks(s, config.options.greeks); }),
      "sampling of paths, and estimation of prices");
  describe_ore(top, ore);
  top.required_table(
      "market",
      [&](Section& s) {
        describe_market(s, config.market, config.options.on_error == OnError::skip, models, ore);
      },
      "date, rates, assets, correlations");
  top.optional(
      "trades_file", trades_file,
      {.doc =
           "CSV file of trades, one per row; its columns are the keys of [[trades]], and comments "
           "(#) are allowed above its header only. Elements of lists are separated by semicolons "
           "(SPX;S&P 500) or, in a cell without semicolons, by blanks (SPX DAX); a cell that "
           "equals the name of an asset is that asset, and names may be quoted ('S&P 500' DAX)"});
  top.tables(
      "trades", [](Index) {}, [&](Section& s, Index) { read_trade(s, config, reader, false); },
      "trades, one table each; their keys are also the columns of trades_file");
}

// Extends the local volatilities of surfaces to the longest maturity of a trade, where the surface
// may have arbitrage, too.
void extend_surfaces(PricingConfig& config) {
  MarketConfig& market = config.market;
  std::vector<double> longest(market.assets.size(), 0.0);
  for (const TradeConfig& t : config.trades)
    for (const Index asset : t.assets) {
      double& maturity = longest[static_cast<std::size_t>(asset)];
      maturity = std::max(maturity, t.maturity);
    }
  for (std::size_t i = 0; i < market.assets.size(); ++i) {
    AssetConfig& asset = market.assets[i];
    if (!asset.surface || asset.local.times.empty()) continue;
    if (longest[i] <= asset.surface->expiries().back()) continue;
    asset.local = local_volatility_grid(*asset.surface, longest[i]);
    const ExpiryCheck check = check_after_last(*asset.surface, longest[i]);
    if (check.has_arbitrage())
      market.warnings.push_back(fmt::format(
          "surface `{}` of asset `{}`, continued after its last expiry, has {}; local variances "
          "are cut off there",
          excerpt(asset.surface->name()), excerpt(asset.name),
          describe_arbitrage(*asset.surface, check)));
  }
}

// Reads the trades of `trades_file` and of the portfolio of [ore], and checks the list of all
// trades.
void validate_trades(const Section& top, PricingConfig& config, TradeReader& reader,
                     const std::string& trades_file, const OreOptions& ore) {
  TradeFiles files;
  if (!trades_file.empty()) {
    files.push_back(&top.input_file("trades_file", trades_file));
    read_trades_file(top, *files.back(), config, reader);
  }
  config.ore_currency = ore.currency;
  if (ore.portfolio != nullptr) {
    files.push_back(ore.portfolio);
    read_portfolio(ore, config, reader);
  }
  check_ids(config, files);
  for (const TradeConfig& t : config.trades) {
    AssetConfig& asset = config.market.assets[static_cast<std::size_t>(t.assets.front())];
    if (asset.is_rate())
      asset.short_rate->horizon = std::max(asset.short_rate->horizon, last_payment(t));
  }
  extend_surfaces(config);
  if (!config.trades.empty()) return;
  if (config.skipped.empty())
    top.fail("trades_file", "no trades", "add [[trades]] tables or name a trades_file");
  fail_without_trades(config.skipped);
}

}  // namespace

void describe_pricing(Section& top, PricingConfig& config, PayoffKinds payoffs,
                      PathModelKinds models) {
  config = {};
  TradeReader reader(config.market, payoffs);
  std::string trades_file;
  OreOptions ore;
  validated([&](Section& s) { describe_tables(s, config, models, reader, trades_file, ore); },
            [&](const Section& s) { validate_trades(s, config, reader, trades_file, ore); })(top);
}

}  // namespace gsim::pricing
