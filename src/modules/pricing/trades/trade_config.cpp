#include "src/modules/pricing/trades/trade_config.hpp"

#include <limits>

#include <fmt/format.h>

#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void describe_digital(Section& s, const MarketConfig& market, TradeConfig& t) {
  static constexpr std::string_view pays[] = {"cash", "asset"};
  describe_asset(s, market, t);
  describe_type(s, t);
  describe_strike(s, t);
  describe_maturity(s, t);
  int what = 0;
  s.optional_word("pays", what, pays, {.doc = "what is paid when it ends in the money"});
  t.pays_asset = what == 1;
  static const KeyInfo cash{.doc = "amount paid by pays = \"cash\""};
  s.optional("cash", t.cash, cash);
}

void describe_forward_start(Section& s, const MarketConfig& market, TradeConfig& t) {
  describe_asset(s, market, t);
  describe_type(s, t);
  s.optional("moneyness", t.strike = 1,
             {.doc = "strike as a multiple of the spot at the start", .minimum = 0});
  s.required("start", t.start,
             {.doc = "when the strike is set",
              .unit = "years",
              .minimum = 0,
              .maximum = longest_maturity});
  describe_maturity(s, t);
  if (!s.describing() && !(t.start < t.maturity - same_date))
    s.fail("start", fmt::format("the start {} is not before the maturity {}", t.start, t.maturity));
}

void describe_cliquet(Section& s, const MarketConfig& market, TradeConfig& t) {
  describe_asset(s, market, t);
  describe_type(s, t);
  s.optional("moneyness", t.strike = 1,
             {.doc = "each period's strike as a multiple of the spot at its start", .minimum = 0});
  describe_maturity(s, t);
  describe_schedule(s, t, true, "resets, the first period's start included");
  t.local_floor = 0;
  t.local_cap = t.global_cap = infinity;
  t.global_floor = -infinity;
  s.optional("local_floor", t.local_floor,
             {.doc = "smallest return of a period", .allow_infinity = true});
  s.optional("local_cap", t.local_cap,
             {.doc = "largest return of a period", .allow_infinity = true});
  s.optional("global_floor", t.global_floor,
             {.doc = "smallest sum of returns", .allow_infinity = true});
  s.optional("global_cap", t.global_cap, {.doc = "largest sum of returns", .allow_infinity = true});
  s.optional("past_return", t.past_return, {.doc = "sum of the clipped returns of past periods"});
  double last_reset = 0;
  s.optional(
      "last_reset", last_reset,
      {.doc = "spot at the last reset before today: the period under way; 0: none", .minimum = 0});
  if (s.describing()) return;
  if (last_reset > 0) t.past_fixings = {last_reset};
  if (t.local_floor > t.local_cap)
    s.fail("local_floor",
           fmt::format("local_floor {} is above local_cap {}", t.local_floor, t.local_cap));
  if (t.global_floor > t.global_cap)
    s.fail("global_floor",
           fmt::format("global_floor {} is above global_cap {}", t.global_floor, t.global_cap));
  if (t.fixings.size() + t.past_fixings.size() < 2)
    s.fail("fixings", "a cliquet needs at least one period");
}

void describe_asian(Section& s, const MarketConfig& market, TradeConfig& t) {
  static constexpr std::string_view averages[] = {"arithmetic", "geometric"};
  describe_asset(s, market, t);
  describe_type(s, t);
  int average = 0;
  static const KeyInfo how{.doc = "how the fixings are averaged"};
  s.optional_word("average", average, averages, how);
  t.geometric = average == 1;
  t.average_strike =
      s.alternatives(
          "average_of",
          {{"price", "the average against `strike`", [&](Section& q) { describe_strike(q, t); }},
           {"strike", "the spot at maturity, the last fixing, against the average",
            [](Section&) {}}},
          0, {.doc = "what the average stands for"}) == 1;
  describe_maturity(s, t);
  describe_schedule(s, t, false, "average");
  describe_past(s, t, "; they count in the average");
  if (!s.describing() && t.average_strike)
    require_last_date_at_maturity(s, t, "the average is compared with the spot then");
}

void describe_monitoring(Section& s, TradeConfig& t) {
  describe_maturity(s, t);
  const auto discrete = [&](Section& q) {
    describe_schedule(q, t, false, "monitoring");
    if (!q.describing()) require_last_date_at_maturity(q, t, "monitoring includes it");
  };
  t.continuous =
      s.alternatives(
          "monitoring",
          {{"continuous", "all the time: Brownian bridge between simulated dates", [](Section&) {}},
           {"discrete", "at the dates of a schedule that ends at maturity", discrete}},
          0, {.doc = "when the spot is watched"}) == 0;
}

void describe_barrier(Section& s, const MarketConfig& market, TradeConfig& t) {
  static constexpr std::string_view kinds[] = {"up_and_out", "up_and_in", "down_and_out",
                                               "down_and_in"};
  static constexpr std::string_view when[] = {"at_expiry", "at_hit"};
  describe_asset(s, market, t);
  describe_type(s, t);
  describe_strike(s, t);
  int kind = 0, paid = 0;
  s.required_word("kind", kind, kinds, {.doc = "side of the barrier, and what touching it does"});
  t.up = kind < 2;
  t.knock_in = kind % 2 == 1;
  static const KeyInfo barrier{.doc = "the level", .minimum = 0, .exclusive_minimum = true};
  s.required("barrier", t.barrier, barrier);
  static const KeyInfo rebate{.doc = "paid when an out is touched, or an in is not"};
  s.optional("rebate", t.rebate, rebate);
  static const KeyInfo rebate_paid{.doc = "when the rebate of an out is paid"};
  s.optional_word("rebate_paid", paid, when, rebate_paid);
  t.rebate_at_hit = paid == 1;
  static const KeyInfo touched{.doc = "whether the barrier was touched before today"};
  s.optional("touched", t.touched, touched);
  describe_monitoring(s, t);
  if (!s.describing() && t.knock_in && t.rebate_at_hit)
    s.fail("rebate_paid", "whether an in pays its rebate is known at expiry only",
           "leave rebate_paid out");
}

void describe_lookback(Section& s, const MarketConfig& market, TradeConfig& t) {
  describe_asset(s, market, t);
  describe_type(s, t);
  t.floating =
      s.alternatives(
          "kind",
          {{"fixed", "the extreme against `strike`", [&](Section& q) { describe_strike(q, t); }},
           {"floating", "the spot at maturity against the extreme", [](Section&) {}}},
          -1, {.doc = "which strike"}) == 1;
  s.optional("past_extreme", t.past_extreme,
             {.doc = "largest (fixed call, floating put) or smallest spot so far, when monitoring "
                     "began before today; 0: it begins today",
              .minimum = 0});
  describe_monitoring(s, t);
}

void describe_multi(Section& s, const MarketConfig& market, TradeConfig& t, WeightRule rule,
                    Index most, bool has_strike) {
  describe_assets(s, market, t, rule, 2, most);
  if (has_strike) {
    describe_type(s, t);
    s.required("strike", t.strike, {.doc = "strike price"});
  }
  describe_maturity(s, t);
}

void describe_basket(Section& s, const MarketConfig& market, TradeConfig& t) {
  static constexpr std::string_view averages[] = {"arithmetic", "geometric"};
  describe_multi(s, market, t, WeightRule::free, most_assets, true);
  int average = 0;
  s.optional_word("average", average, averages,
                  {.doc = "weighted sum of the spots, or product of their powers"});
  t.geometric = average == 1;
}

void describe_pair(Section& s, const MarketConfig& market, TradeConfig& t, bool has_strike) {
  describe_multi(s, market, t, WeightRule::none, 2, has_strike);
  if (!s.describing()) t.weights = {1, -1};
}

// What the schedule itself says: its periods over its years.
double periods_per_year(const Section& s, const TradeConfig& t) {
  if (t.fixings.size() < 2)
    s.fail("fixings", "one date does not say how many observations a year has",
           "give observations_per_year (252 for every trading day)");
  return static_cast<double>(t.fixings.size() - 1) / (t.fixings.back() - t.fixings.front());
}

void describe_variance_swap(Section& s, const MarketConfig& market, TradeConfig& t) {
  describe_asset(s, market, t);
  s.required("strike", t.strike,
             {.doc = "annualised variance (0.04 for 20 % volatility)", .minimum = 0});
  describe_maturity(s, t);
  describe_schedule(s, t, true, "observations, the first period's start included");
  describe_past(s, t, ", the last one beginning the period under way");
  s.optional(
      "observations_per_year", t.observations_per_year,
      {.doc = "annualisation: realised variance is this times the mean squared log return; 0: "
              "the periods of the schedule, without past_fixings, divided by its years",
       .unit = "1/year",
       .minimum = 0});
  if (s.describing()) return;
  if (t.fixings.size() + t.past_fixings.size() < 2)
    s.fail("fixings", "a variance needs at least one period");
  if (t.observations_per_year == 0) t.observations_per_year = periods_per_year(s, t);
}

// The weights are the control's: each underlying counts in units of its spot today.
void describe_underlyings(Section& s, const MarketConfig& market, TradeConfig& t,
                          const PayoffKind& kind, std::vector<double>& spots) {
  if (kind.most_assets <= 1)
    describe_asset(s, market, t);
  else
    describe_assets(s, market, t, WeightRule::none, kind.least_assets, kind.most_assets);
  if (s.describing()) return;
  for (const Index i : t.assets) spots.push_back(market.assets[static_cast<std::size_t>(i)].spot);
  if (spots.size() == 1) return;
  for (std::size_t a = 0; a < spots.size(); ++a) t.weights[a] = 1 / spots[a];
}

void describe_plugged(Section& s, const MarketConfig& market, TradeConfig& t,
                      const PayoffKind& kind) {
  std::vector<double> spots;
  describe_underlyings(s, market, t, kind, spots);
  describe_maturity(s, t);
  PayoffTrade facts{spots, {}, t.maturity};
  if (kind.dates != PayoffDates::maturity) {
    describe_schedule(s, t, false, "observation");
    if (!s.describing() && t.fixings.front() <= same_date)
      s.fail("fixings", "a date today: the payoff looks at dates to come", "leave it out");
    if (!s.describing() && kind.dates == PayoffDates::schedule_to_maturity)
      require_last_date_at_maturity(s, t, "it is one of those that the payoff looks at");
    facts.fixings = t.fixings;
  } else if (!s.describing()) {
    facts.fixings = {&t.maturity, 1};
  }
  t.kind = &kind;
  t.numbers = kind.describe(s, facts);
  if (!s.describing() && t.numbers.size() > most_plugin_numbers)
    s.fail("product",
           fmt::format("payoff `{}` makes {} numbers of these keys, and {} are the most", kind.name,
                       t.numbers.size(), most_plugin_numbers),
           "shorten its lists");
}

}  // namespace

TradeReader::TradeReader(const MarketConfig& market, PayoffKinds kinds) {
  using Part = void (*)(Section&, const MarketConfig&, TradeConfig&);
  const auto part = [this, &market](Part p) {
    return [this, &market, p](Section& sub) { p(sub, market, *trade_); };
  };
  products_ = {
      {"european", "pays max(S - K, 0) or max(K - S, 0) at maturity",
       part([](Section& q, const MarketConfig& m, TradeConfig& u) {
         describe_asset(q, m, u);
         describe_type(q, u);
         describe_strike(q, u);
         describe_maturity(q, u);
       })},
      {"digital", "pays cash or the asset when it ends in the money", part(describe_digital)},
      {"forward_start", "an option whose strike is set later", part(describe_forward_start)},
      {"cliquet", "sum of clipped period returns", part(describe_cliquet)},
      {"asian", "on the average of fixings", part(describe_asian)},
      {"barrier", "knocked in or out at a level", part(describe_barrier)},
      {"lookback", "on the largest or smallest spot", part(describe_lookback)},
      {"basket", "on a weighted sum of spots", part(describe_basket)},
      {"best_of", "on the largest of several spots",
       part([](Section& q, const MarketConfig& m, TradeConfig& u) {
         describe_multi(q, m, u, WeightRule::positive, most_assets, true);
       })},
      {"worst_of", "on the smallest of several spots",
       part([](Section& q, const MarketConfig& m, TradeConfig& u) {
         describe_multi(q, m, u, WeightRule::positive, most_assets, true);
       })},
      {"spread", "on the difference of two spots",
       part([](Section& q, const MarketConfig& m, TradeConfig& u) {
         describe_pair(q, m, u, true);
       })},
      {"exchange", "the first asset for the second: pays max(S1 - S2, 0)",
       part([](Section& q, const MarketConfig& m, TradeConfig& u) {
         describe_pair(q, m, u, false);
       })},
      {"variance_swap", "realised variance less the strike", part(describe_variance_swap)}};
  own_ = static_cast<int>(products_.size());
  for (const PayoffKind* kind : kinds) {
    products_.push_back(
        {std::string(kind->name), std::string(kind->doc),
         [this, &market, kind](Section& q) { describe_plugged(q, market, *trade_, *kind); }});
  }
}

void TradeReader::describe(Section& s, TradeConfig& t) {
  static const KeyInfo id{.doc = "name in the results"};
  static const KeyInfo quantity{.doc = "how many; negative: sold"};
  static const KeyInfo product{.doc = "what is traded"};
  if (!s.describing()) {
    SourceLocation at = s.location();
    if (t.is_row && (file_ == nullptr || file_->file != at.file))
      file_ = std::make_shared<const SourceLocation>(SourceLocation{at.file, 0, 0, {}});
    t.where = t.is_row ? TradePlace(file_, at.line) : TradePlace(std::move(at));
  }
  s.required("id", t.id, id);
  if (!s.describing() && t.id.empty()) s.fail("id", "a trade's id must not be empty");
  s.optional("quantity", t.quantity, quantity);
  trade_ = &t;
  const int chosen = s.alternatives("product", products_, -1, product);
  t.product = chosen < own_ ? static_cast<Product>(chosen) : Product::plugged;
}

SourceLocation TradePlace::location() const {
  if (at_ == nullptr) return {};
  SourceLocation at = *at_;
  if (line_ > 0) {
    at.line = line_;
    at.column = 1;
  }
  return at;
}

std::string TradeConfig::describe() const {
  const std::string type = call ? "call" : "put";
  switch (product) {
    case Product::european:
      return "European " + type;
    case Product::digital:
      return fmt::format("digital {}, {}", type, pays_asset ? "asset" : "cash");
    case Product::forward_start:
      return "forward-start " + type;
    case Product::cliquet:
      return "cliquet " + type;
    case Product::asian:
      return fmt::format("Asian {}, {}{}", type, geometric ? "geometric" : "arithmetic",
                         average_strike ? " strike" : "");
    case Product::barrier:
      return fmt::format("{}-and-{} {}{}", up ? "up" : "down", knock_in ? "in" : "out", type,
                         continuous ? "" : ", discrete");
    case Product::lookback:
      return fmt::format("lookback {}, {}{}", type, floating ? "floating" : "fixed",
                         continuous ? "" : ", discrete");
    case Product::basket:
      return fmt::format("{} on {}basket of {}", type, geometric ? "geometric " : "",
                         assets.size());
    case Product::best_of:
      return fmt::format("{} on best of {}", type, assets.size());
    case Product::worst_of:
      return fmt::format("{} on worst of {}", type, assets.size());
    case Product::spread:
      return "spread " + type;
    case Product::exchange:
      return "exchange";
    case Product::variance_swap:
      return "variance swap";
    case Product::plugged:
      return std::string(kind->name);
  }
  return {};
}

}  // namespace gsim::pricing
