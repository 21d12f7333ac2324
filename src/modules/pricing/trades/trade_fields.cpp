#include "src/modules/pricing/trades/trade_fields.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/asset_names.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/fixings.hpp"
#include "src/modules/pricing/trades/payment_currency.hpp"

namespace gsim::pricing {
namespace {

Index find_asset(const Section& s, std::string_view key, const MarketConfig& market,
                 const std::string& name) {
  const Index i = market.find(name);
  if (i < 0) {
    s.fail(key, fmt::format("no asset `{}` in [market.assets]", excerpt(name)),
           suggest_known(name, market.names(), "the assets are"));
  }
  const AssetConfig& asset = market.assets[static_cast<std::size_t>(i)];
  if (!asset.problem.empty())
    s.fail(key, fmt::format("asset `{}` cannot be used: {}", excerpt(name), asset.problem));
  if (asset.is_rate())
    s.fail(key, fmt::format("`{}` is a rate of [market.rates], and the product needs an asset",
                            excerpt(name)));
  return i;
}

std::string elements(Index n) { return fmt::format("{} {}", n, n == 1 ? "element" : "elements"); }

/// `assets` of a CSV row: one cell, which is split according to the names of the assets.
std::vector<std::string> names_in_cell(const Section& s, const MarketConfig& market,
                                       const std::string& cell, Index min_count, Index max_count) {
  std::vector<std::string> names;
  try {
    names = split_asset_names(cell, [&](std::string_view n) { return market.find(n) >= 0; });
  } catch (const InputError& error) {
    s.fail("assets", error.what(),
           "separate names by semicolons, and write quotes inside of quotes twice");
  }
  const auto n = static_cast<Index>(names.size());
  if (n < min_count || n > max_count)
    s.fail("assets",
           fmt::format("`assets` must have {}, not {}",
                       min_count == max_count
                           ? elements(min_count)
                           : fmt::format("{} to {}", min_count, elements(max_count)),
                       n),
           "separate names by semicolons");
  // If names are separated by blanks, a name that contains a blank has been split.
  for (const std::string& name : names) {
    if (market.find(name) >= 0 || cell.find(';') != std::string::npos) continue;
    for (const AssetConfig& asset : market.assets)
      if (asset.name.find(' ') != std::string::npos && cell.find(asset.name) != std::string::npos)
        s.fail(
            "assets", fmt::format("no asset `{}` in [market.assets]", excerpt(name)),
            fmt::format(
                "separate names by semicolons, or quote them if they contain blanks as `{}` does",
                excerpt(asset.name)));
  }
  return names;
}

// Every pair of assets of a trade must have a correlation; independence is never assumed.
void check_correlations(const Section& s, const MarketConfig& market, const TradeConfig& t) {
  for (std::size_t i = 0; i < t.assets.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto first = excerpt(market.assets[static_cast<std::size_t>(t.assets[j])].name);
      const auto second = excerpt(market.assets[static_cast<std::size_t>(t.assets[i])].name);
      if (t.assets[i] == t.assets[j])
        s.fail("assets", fmt::format("asset `{}` is named twice", first));
      bool known = false;
      market.correlation_of(t.assets[i], t.assets[j], &known);
      if (!known)
        s.fail("assets", fmt::format("no correlation of {} and {} is given", first, second),
               "name both in [market.correlation]");
    }
}

// If the last date and the maturity differ only by rounding of the input, the last date is set to
// the maturity.
void snap_to_maturity(TradeInput& t) {
  if (std::fabs(t.fixings.back() - t.maturity) <= same_date) t.fixings.back() = t.maturity;
}

void check_dates(const Section& s, std::string_view key, const TradeConfig& t) {
  for (std::size_t i = 1; i < t.fixings.size(); ++i) {
    const double before = t.fixings[i - 1], date = t.fixings[i];
    if (date <= before)
      s.fail(key, fmt::format("dates must be rising, but {} follows {}", date, before));
    if (date - before <= same_date)
      s.fail(key, fmt::format("the dates {} and {} are less than 4 seconds apart", before, date));
  }
  const double last = t.fixings.back();
  if (last <= same_date)
    s.fail(key, fmt::format("no date after today: the last one is {}", last),
           "put observations up to today into past_fixings");
  if (last > t.maturity)
    s.fail(key, fmt::format("the last date {} is after the maturity {}", last, t.maturity));
}

// Replaces the dates of the schedule before today by `past_fixings`, the spots at them.
void observe_past_dates(const Section& s, const MarketConfig& market, TradeInput& t) {
  std::size_t past = 0;
  std::vector<double> spots;
  for (; past < t.fixings.size() && t.fixings[past] < 0; ++past) {
    const double date = t.fixings[past];
    const AssetConfig& asset = market.assets[static_cast<std::size_t>(t.assets.front())];
    const std::optional<double> spot = past_spot(asset, date);
    if (!spot || t.assets.size() > 1)
      s.fail("fixings",
             fmt::format("no fixing of asset `{}` on {}", excerpt(asset.name),
                         market.dates.text_of(date)),
             advice_on_fixing(market, asset) + ", or give `past_fixings` and later dates only");
    spots.push_back(*spot);
  }
  if (past == 0) return;
  if (!t.past_fixings.empty())
    s.fail("past_fixings",
           "`fixings` has dates before today, so that their spots are known already",
           "leave `past_fixings` out");
  t.past_fixings = std::move(spots);
  t.fixings.erase(t.fixings.begin(), t.fixings.begin() + static_cast<Index>(past));
}

}  // namespace

void describe_asset(Section& s, TradeInput& t) {
  static const KeyInfo info{.doc = "underlying, a name of [market.assets]"};
  s.required("asset", t.asset_name, info);
}

void validate_asset(const Section& s, const MarketConfig& market, TradeInput& t) {
  t.assets = {find_asset(s, "asset", market, t.asset_name)};
  t.weights = {1};
  validate_payment_currency(s, "asset", t);
}

void describe_assets(Section& s, TradeInput& t, WeightRule rule, Index min_count, Index max_count) {
  static const KeyInfo cell{.doc = "underlyings, names of [market.assets]"};
  if (t.is_row)
    s.required("assets", t.asset_cell, cell);
  else
    s.required(
        "assets", t.asset_names,
        {.doc = max_count == 2 && min_count == 2 ? "two underlyings, names of [market.assets]"
                                                 : "underlyings, names of [market.assets]",
         .min_size = min_count,
         .max_size = max_count});
  if (rule != WeightRule::none)
    s.optional(
        "weights", t.weights,
        {.doc =
             rule == WeightRule::positive
                 ? "weights that multiply the spots before these are compared; 1 each when absent"
                 : "weights of the assets; equal, with sum 1, when absent"});
}

void validate_assets(const Section& s, const MarketConfig& market, TradeInput& t, WeightRule rule,
                     Index min_count, Index max_count) {
  if (t.is_row) t.asset_names = names_in_cell(s, market, t.asset_cell, min_count, max_count);
  for (const std::string& name : t.asset_names)
    t.assets.push_back(find_asset(s, "assets", market, name));
  check_correlations(s, market, t);
  validate_payment_currency(s, "assets", t);
  const std::size_t n = t.assets.size();
  if (t.weights.empty())
    t.weights.assign(n, rule == WeightRule::free ? 1.0 / static_cast<double>(n) : 1.0);
  if (t.weights.size() != n)
    s.fail("weights", fmt::format("{} weights for {} assets", t.weights.size(), n));
  for (const double w : t.weights)
    if (rule == WeightRule::positive && !(w > 0)) s.fail("weights", "weights must be positive");
}

void describe_type(Section& s, TradeInput& t) {
  static constexpr std::string_view words[] = {"call", "put"};
  int type = 0;
  static const KeyInfo info{.doc = "type of the option: the right to buy or to sell"};
  s.required_word("type", type, words, info);
  t.call = type == 0;
}

void describe_strike(Section& s, TradeInput& t) {
  static const KeyInfo info{.doc = "strike price", .minimum = 0};
  s.required("strike", t.strike, info);
}

void describe_maturity(Section& s, TradeInput& t) {
  static const KeyInfo maturity{.doc = "time to expiry",
                                .unit = "years",
                                .minimum = 0,
                                .maximum = longest_maturity,
                                .exclusive_minimum = true,
                                .is_date = true};
  static const KeyInfo lag{
      .doc = "time from expiry to payment", .unit = "years", .minimum = 0, .maximum = 10};
  s.required("maturity", t.maturity, maturity);
  s.optional("payment_lag", t.payment_lag, lag);
}

void validate_maturity(const Section& s, const TradeInput& t) {
  if (t.maturity <= same_date)
    s.fail("maturity",
           fmt::format("a maturity in {} years (less than 4 seconds) is today", t.maturity),
           "value the trade by its payoff");
}

ScheduleKeys::ScheduleKeys(const std::string& dates, ScheduleStart start) {
  const auto date = [](std::string doc, double earliest = 0) {
    return KeyInfo{.doc = std::move(doc),
                   .unit = "years",
                   .minimum = earliest,
                   .maximum = longest_maturity,
                   .is_date = true};
  };
  fixings = date("increasing dates of the " + dates +
                     "; the spots at those before today are in market.fixings_file",
                 -longest_maturity);
  fixing_count = {.doc = std::string("number of equal periods, in place of `fixings`") +
                         (start == ScheduleStart::first_date
                              ? ", with a date at fixing_start and at the end of each"
                              : ", with a date at the end of each"),
                  .minimum = 0,
                  .maximum = 100000};
  fixing_start = date("start of the first period");
  fixing_end = date("end of the last period; 0: the maturity");
}

void describe_schedule(Section& s, TradeInput& t, const ScheduleKeys& keys) {
  s.optional("fixings", t.fixings, keys.fixings);
  s.optional("fixing_count", t.fixing_count, keys.fixing_count);
  s.optional("fixing_start", t.fixing_start, keys.fixing_start);
  s.optional("fixing_end", t.fixing_end, keys.fixing_end);
}

void validate_schedule(const Section& s, const MarketConfig& market, TradeInput& t,
                       ScheduleStart first) {
  const Index count = t.fixing_count;
  const bool is_listed = !t.fixings.empty();
  if (is_listed == (count > 0))
    s.fail(count > 0 ? "fixing_count" : "", "give either `fixings` or `fixing_count`");
  if (is_listed && (t.fixing_start != 0 || t.fixing_end != 0))
    s.fail("fixings", "fixing_start and fixing_end are used with fixing_count only");
  if (!is_listed) {
    const double start = t.fixing_start, end = t.fixing_end == 0 ? t.maturity : t.fixing_end;
    if (!(end > start)) s.fail("fixing_start", "the schedule must end after its start");
    for (Index i = first == ScheduleStart::first_date ? 0 : 1; i < count; ++i)
      t.fixings.push_back(start +
                          (end - start) * static_cast<double>(i) / static_cast<double>(count));
    t.fixings.push_back(end);  // not rounded: it may have to equal the maturity
  }
  snap_to_maturity(t);
  check_dates(s, is_listed ? "fixings" : "fixing_count", t);
  if (is_listed) observe_past_dates(s, market, t);
}

void require_last_date_at_maturity(const Section& s, const TradeInput& t, const char* why) {
  if (t.fixings.back() != t.maturity)
    s.fail("maturity", fmt::format("the last date must be the maturity {} ({})", t.maturity, why));
}

void describe_past_fixings(Section& s, TradeInput& t, const std::string& remark) {
  s.optional(
      "past_fixings", t.past_fixings,
      {.doc = "spots observed before today" + remark, .minimum = 0, .exclusive_minimum = true});
}

void describe_monitoring(Section& s, TradeInput& t) {
  static const ScheduleKeys monitoring("monitoring", ScheduleStart::not_a_date);
  describe_maturity(s, t);
  t.continuous =
      s.alternatives(
          "monitoring",
          {{"continuous", "continuous monitoring, by a Brownian bridge between simulated dates",
            [](Section&) {}},
           {"discrete", "monitoring at the dates of a schedule that ends at maturity",
            [&](Section& q) { describe_schedule(q, t, monitoring); }}},
          0, {.doc = "monitoring of the spot"}) == 0;
}

void validate_monitoring(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_maturity(s, t);
  if (t.continuous) return;
  validate_schedule(s, market, t, ScheduleStart::not_a_date);
  require_last_date_at_maturity(s, t, "monitoring includes it");
}

void describe_multi_asset_option(Section& s, TradeInput& t, WeightRule rule) {
  describe_assets(s, t, rule, 2, max_assets);
  describe_type(s, t);
  s.required("strike", t.strike, {.doc = "strike price"});
  describe_maturity(s, t);
}

void validate_multi_asset_option(const Section& s, const MarketConfig& market, TradeInput& t,
                                 WeightRule rule) {
  validate_assets(s, market, t, rule, 2, max_assets);
  validate_maturity(s, t);
}

void describe_spread_option(Section& s, TradeInput& t, bool has_strike) {
  describe_assets(s, t, WeightRule::none, 2, 2);
  if (has_strike) {
    describe_type(s, t);
    s.required("strike", t.strike, {.doc = "strike price"});
  }
  describe_maturity(s, t);
}

void validate_spread_option(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_assets(s, market, t, WeightRule::none, 2, 2);
  validate_maturity(s, t);
  t.weights = {1, -1};
}

}  // namespace gsim::pricing
