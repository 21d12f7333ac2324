#include "src/modules/pricing/ore/ore_trades.hpp"

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_legs.hpp"
#include "src/modules/pricing/ore/ore_translation.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// ConfigError unless a leg pays in the currency of its rate.
void require_currency_of_rate(const OreContext& context, const OreLeg& leg, const XmlElement& at) {
  const std::string own = ore_currency_of(context, leg.index);
  if (!own.empty() && leg.currency != own)
    at.get("Currency")
        .fail(fmt::format("the leg pays {}, and the rate {} is of {}", excerpt(leg.currency),
                          leg.index, own));
}

/// The legs of a swap: one fixed, one floating.
void set_legs(const OreTranslation& t, double sign, bool has_type) {
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
  if (fixed.currency != floating.currency)
    t.data.fail(fmt::format("the legs are in different currencies, {} and {}",
                            excerpt(fixed.currency), excerpt(floating.currency)));
  require_currency_of_rate(t.context, floating, elements[0]);
  set_leg(fixed, t.row);
  set_leg(floating, t.row);
  t.row.set("quantity", fmt::format("{}", sign * fixed.notional), fixed.at);
  if (has_type) t.row.set("type", fixed.is_payer ? "payer" : "receiver", fixed.at);
}

void translate_swap(const OreTranslation& t) {
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

void translate_cap(const OreTranslation& t) {
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
  require_currency_of_rate(t.context, leg, t.data.get("LegData"));
  require_fixings(leg, t.data.get("LegData"), *t.context.dates->today);
  t.set("type", is_cap ? "cap" : "floor", strikes);
  t.set_number("strike", values.front().number(), values.front());
  set_leg(leg, t.row);
  t.row.set("quantity", fmt::format("{}", ore_sign(t.data) * leg.notional), leg.at);
}

void translate_swaption(const OreTranslation& t) {
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
  set_legs(t, ore_sign(option), true);
}

struct Type {
  const char *name, *data;
  void (*translate)(const OreTranslation&);
};
constexpr Type types[] = {
    {"EquityOption", "EquityOptionData", translate_equity_option},
    {"EquityForward", "EquityForwardData", translate_equity_forward},
    {"EquityDigitalOption", "EquityDigitalOptionData", translate_equity_digital},
    {"EquityBarrierOption", "EquityBarrierOptionData", translate_equity_barrier},
    {"FxForward", "FxForwardData", translate_fx_forward},
    {"FxOption", "FxOptionData", translate_fx_option},
    {"FxDigitalOption", "FxDigitalOptionData", translate_fx_digital},
    {"FxBarrierOption", "FxBarrierOptionData", translate_fx_barrier},
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
