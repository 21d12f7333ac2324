#include "src/modules/pricing/ore/ore_trades.hpp"

#include <array>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_legs.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// One trade while it is translated.
struct Translation {
  const OreContext& context;
  CellTable& row;
  XmlElement data;  ///< the element with the terms, such as <EquityOptionData>

  void set(const char* key, const std::string& value, const XmlElement& at) const {
    row.set(key, value, at.place());
  }
  void set_number(const char* key, double value, const XmlElement& at) const {
    set(key, fmt::format("{}", value), at);
  }
  void set_date(const char* key, const XmlElement& at) const {
    set(key, to_string(ore_date(at)), at);
  }
};

void require_currency(const OreContext& context, const XmlElement& currency) {
  if (currency.text() != context.currency)
    currency.fail(fmt::format("the trade is in {}, and the market has {} only",
                              excerpt(currency.text()), context.currency),
                  "trades in other currencies are not supported in files of ORE");
}

double sign_of(const XmlElement& parent) {
  return ore_word(parent, "LongShort", {"Long", "Short"}) == 0 ? 1 : -1;
}

void set_underlying(const Translation& t) {
  if (t.data.has("Name")) return t.set("asset", t.data.text("Name"), t.data.get("Name"));
  const XmlElement underlying = t.data.get("Underlying");
  ore_word(underlying, "Type", {"Equity"}, true);
  t.set("asset", underlying.text("Name"), underlying.get("Name"));
}

void set_strike(const Translation& t) {
  XmlElement at = t.data;
  const char* name = "Strike";
  if (t.data.has("StrikeData")) {
    at = t.data.get("StrikeData");
    if (at.has("StrikePrice")) at = at.get("StrikePrice");
    if (at.has("Currency")) require_currency(t.context, at.get("Currency"));
    name = "Value";
  }
  if (t.data.has("StrikeCurrency")) require_currency(t.context, t.data.get("StrikeCurrency"));
  t.set_number("strike", at.get(name).number(), at.get(name));
}

void set_quantity(const Translation& t, double sign) {
  const XmlElement quantity = t.data.get("Quantity");
  t.set_number("quantity", sign * quantity.number(), quantity);
}

/// What all options refuse: terms that change the value, and that gsim does not have.
void refuse_option_terms(const XmlElement& option) {
  require_absent(option, "Premiums", "premiums are not supported");
  require_absent(option, "PremiumAmount", "premiums are not supported");
  require_absent(option, "PaymentData", "payments after the expiry are not supported");
  require_absent(option, "ExerciseData", "options that were exercised are not supported");
  require_absent(option, "ExerciseFees", "fees for the exercise are not supported");
  option.ignore("AutomaticExercise");  // of an option that has expired
}

/// Type, style and expiry of an option on an equity.
void set_equity_option(const Translation& t, bool may_be_american) {
  const XmlElement option = t.data.get("OptionData");
  refuse_option_terms(option);
  const bool is_call = ore_word(option, "OptionType", {"Call", "Put"}) == 0;
  t.set("type", is_call ? "call" : "put", option.get("OptionType"));
  const bool is_american = ore_word(option, "Style", {"European", "American"}, true) == 1;
  const bool has_word = option.has("PayOffAtExpiry");
  const bool pays_at_expiry = ore_bool(option, "PayOffAtExpiry", true);
  if (is_american && !may_be_american)
    option.get("Style").fail("American exercise of this trade type is not supported");
  if (is_american && pays_at_expiry)
    (has_word ? option.get("PayOffAtExpiry") : option)
        .fail("American exercise that is paid at expiry is not supported",
              has_word ? "" : "ORE pays at expiry unless <PayOffAtExpiry> is false");
  if (is_american) t.set("exercise", "american", option.get("Style"));
  ore_word(option, "Settlement", {"Cash", "Physical"}, true);  // of the same value
  const std::vector<XmlElement> dates = option.get("ExerciseDates").all("ExerciseDate");
  if (dates.size() != 1)
    option.get("ExerciseDates").fail(fmt::format("{} dates where there is one", dates.size()));
  t.set_date("maturity", dates.front());
  set_quantity(t, sign_of(option));
}

void translate_equity_option(const Translation& t) {
  t.set("product", "european", t.data);
  require_currency(t.context, t.data.get("Currency"));
  set_underlying(t);
  set_strike(t);
  set_equity_option(t, true);
}

void translate_equity_forward(const Translation& t) {
  t.set("product", "forward", t.data);
  require_currency(t.context, t.data.get("Currency"));
  require_absent(t.data, "SettlementData", "payments after the maturity are not supported");
  set_underlying(t);
  set_strike(t);
  t.set_date("maturity", t.data.get("Maturity"));
  set_quantity(t, sign_of(t.data));
}

void translate_equity_digital(const Translation& t) {
  t.set("product", "digital", t.data);
  require_currency(t.context, t.data.get("PayoffCurrency"));
  set_underlying(t);
  set_strike(t);
  const XmlElement amount = t.data.get("PayoffAmount");
  t.set_number("cash", amount.number(), amount);
  set_equity_option(t, false);
}

void translate_equity_barrier(const Translation& t) {
  t.set("product", "barrier", t.data);
  require_currency(t.context, t.data.get("Currency"));
  set_underlying(t);
  set_strike(t);
  const XmlElement barrier = t.data.get("BarrierData");
  static constexpr std::array<const char*, 4> kinds = {"up_and_out", "up_and_in", "down_and_out",
                                                       "down_and_in"};
  const int kind = ore_word(barrier, "Type", {"UpAndOut", "UpAndIn", "DownAndOut", "DownAndIn"});
  t.set("kind", kinds[static_cast<std::size_t>(kind)], barrier.get("Type"));
  ore_word(barrier, "Style", {"American"}, true);
  const std::vector<XmlElement> levels = barrier.get("Levels").all("Level");
  if (levels.size() != 1)
    barrier.get("Levels").fail(fmt::format("{} levels where there is one", levels.size()));
  t.set_number("barrier", levels.front().number(), levels.front());
  require_number(barrier, "Rebate", 0, "rebates are not supported");
  require_absent(barrier, "OverrideTriggered", "barriers that were touched are not supported");
  if (t.data.has("StartDate") && ore_date(t.data.get("StartDate")) != *t.context.dates->today)
    t.data.get("StartDate")
        .fail(
            "a barrier that is monitored from another day than today is not "
            "supported");
  t.data.ignore("Calendar");  // of the days before today
  t.set("monitoring", "continuous", barrier);
  set_equity_option(t, false);
}

/// The legs of a swap: one fixed, one floating.
void set_legs(const Translation& t, double sign, bool has_type) {
  const std::vector<XmlElement> elements = t.data.all("LegData");
  if (elements.size() != 2)
    t.data.fail(
        fmt::format("{} legs where a fixed and a floating one are supported", elements.size()));
  std::vector<OreLeg> legs = {ore_leg(elements[0], t.context), ore_leg(elements[1], t.context)};
  if (legs[0].is_fixed == legs[1].is_fixed)
    t.data.fail("swaps other than of a fixed for a floating rate are not supported");
  const OreLeg& fixed = legs[legs[0].is_fixed ? 0 : 1];
  const OreLeg& floating = legs[legs[0].is_fixed ? 1 : 0];
  if (fixed.is_payer == floating.is_payer) t.data.fail("both legs are paid, or both received");
  if (fixed.notional != floating.notional)
    t.data.fail(fmt::format("the legs have different notionals, {} and {}", fixed.notional,
                            floating.notional));
  set_leg(fixed, t.row);
  set_leg(floating, t.row);
  t.row.set("quantity", fmt::format("{}", sign * fixed.notional), fixed.at);
  if (has_type) t.row.set("type", fixed.is_payer ? "payer" : "receiver", fixed.at);
}

void translate_swap(const Translation& t) {
  t.set("product", "swap", t.data);
  set_legs(t, 1, true);
}

/// ConfigError where a period has begun whose rate is not known: a caplet of that has no option
/// left.
void require_fixings(const OreLeg& leg, const XmlElement& at, Date today) {
  std::size_t unpaid = 0;
  for (std::size_t i = 0; i < leg.payments.size(); ++i) {
    if (leg.payments[i] <= today) continue;
    if (++unpaid > leg.known_rates.size() && leg.dates[i] <= today)
      at.fail(fmt::format("the period from {} of a cap or floor needs the fixing of {}",
                          to_string(leg.dates[i]), leg.index),
              "add it to the file `fixings_file` of [ore]");
  }
}

void translate_cap(const Translation& t) {
  t.set("product", "cap_floor", t.data);
  require_absent(t.data, "Premiums", "premiums are not supported");
  const bool is_cap = t.data.has("Caps");
  if (is_cap == t.data.has("Floors"))
    t.data.fail("either <Caps> or <Floors> is supported, and both together (a collar) are not",
                "write a cap and a floor as two trades");
  const XmlElement strikes = t.data.get(is_cap ? "Caps" : "Floors");
  const std::vector<XmlElement> values = strikes.all(is_cap ? "Cap" : "Floor");
  if (values.size() != 1) strikes.fail("exactly one strike is supported");
  const OreLeg leg = ore_leg(t.data.get("LegData"), t.context);
  if (leg.is_fixed) t.data.get("LegData").fail("the leg of a cap or floor must be floating");
  require_fixings(leg, t.data.get("LegData"), *t.context.dates->today);
  t.set("type", is_cap ? "cap" : "floor", strikes);
  t.set_number("strike", values.front().number(), values.front());
  set_leg(leg, t.row);
  t.row.set("quantity", fmt::format("{}", sign_of(t.data) * leg.notional), leg.at);
}

void translate_swaption(const Translation& t) {
  t.set("product", "swaption", t.data);
  const XmlElement option = t.data.get("OptionData");
  refuse_option_terms(option);
  ore_word(option, "OptionType", {"Call"}, true);
  const bool is_bermudan = ore_word(option, "Style", {"European", "Bermudan"}) == 1;
  if (ore_word(option, "Settlement", {"Physical", "Cash"}, true) == 1 &&
      ore_word(option, "SettlementMethod", {"CollateralizedCashPrice"}, true) < 0)
    option.get("Settlement")
        .fail("settlement in cash by another method than CollateralizedCashPrice is not supported");
  ore_word(option, "SettlementMethod",
           {"PhysicalOTC", "PhysicalCleared", "CollateralizedCashPrice"}, true);
  ore_bool(option, "PayOffAtExpiry", true);  // exercise is into a swap
  const XmlElement list = option.get("ExerciseDates");
  const std::vector<XmlElement> dates = list.all("ExerciseDate");
  if (dates.empty() || (!is_bermudan && dates.size() != 1))
    list.fail(fmt::format("{} dates of exercise", dates.size()));
  t.set_date("maturity", dates.back());
  if (is_bermudan) {
    std::string cell;
    for (const XmlElement& date : dates)
      cell += fmt::format("{}{}", cell.empty() ? "" : ";", to_string(ore_date(date)));
    t.set("exercise", "bermudan", option.get("Style"));
    t.set("exercise_dates", cell, list);
  }
  set_legs(t, sign_of(option), true);
}

struct Type {
  const char *name, *data;
  void (*translate)(const Translation&);
};
constexpr Type types[] = {
    {"EquityOption", "EquityOptionData", translate_equity_option},
    {"EquityForward", "EquityForwardData", translate_equity_forward},
    {"EquityDigitalOption", "EquityDigitalOptionData", translate_equity_digital},
    {"EquityBarrierOption", "EquityBarrierOptionData", translate_equity_barrier},
    {"Swap", "SwapData", translate_swap},
    {"CapFloor", "CapFloorData", translate_cap},
    {"Swaption", "SwaptionData", translate_swaption},
};

void read_envelope(const XmlElement& trade, OreTrade& result) {
  if (!trade.has("Envelope")) return;
  const XmlElement envelope = trade.get("Envelope");
  result.counterparty = envelope.text("CounterParty", "");
  if (envelope.has("NettingSetId")) {
    const XmlElement id = envelope.get("NettingSetId");
    result.netting_set = id.text();
    result.row.set("netting_set", result.netting_set, id.place());
  }
  envelope.ignore("AdditionalFields");
  envelope.ignore("PortfolioIds");
}

}  // namespace

OreTrade ore_trade(const XmlElement& trade, const OreContext& context) {
  OreTrade result{CellTable(trade.place()), {}, {}};
  const std::string id = trade.attribute("id");
  if (id.empty()) trade.fail("the trade has no attribute `id`");
  result.row.set("id", id, trade.place());
  const XmlElement name = trade.get("TradeType");
  const Type* type = nullptr;
  std::vector<std::string> known;
  for (const Type& candidate : types) {
    if (name.text() == candidate.name) type = &candidate;
    known.emplace_back(candidate.name);
  }
  if (type == nullptr)
    name.fail(fmt::format("the trade type \"{}\" is not supported", excerpt(name.text())),
              suggest_known(name.text(), known, "the types are"));
  require_absent(trade, "TradeActions", "actions on trades are not supported");
  read_envelope(trade, result);
  type->translate({context, result.row, trade.get(type->data)});
  trade.refuse_unread();
  return result;
}

}  // namespace gsim::pricing
