// Trades on equities of Open Source Risk Engine.

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_translation.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// Sets the asset and returns its name.
std::string set_underlying(const OreTranslation& t) {
  XmlElement parent = t.data;
  if (!parent.has("Name")) {
    parent = t.data.get("Underlying");
    ore_word(parent, "Type", {"Equity"}, true);
  }
  std::string name = parent.text("Name");
  t.set("asset", name, parent.get("Name"));
  return name;
}

/// ConfigError unless an element names the currency of an asset.
void require_currency_of(const OreTranslation& t, const std::string& asset,
                         const XmlElement& currency) {
  const std::string own = ore_currency_of(t.context, asset), name = currency.text();
  if (!own.empty() && name != own)
    currency.fail(fmt::format("the trade is in {}, and the equity in {}", excerpt(name), own),
                  "quantos and composite options are not supported in files of ORE");
}

void set_strike(const OreTranslation& t, const std::string& asset) {
  XmlElement at = t.data;
  const char* name = "Strike";
  if (t.data.has("StrikeData")) {
    at = t.data.get("StrikeData");
    if (at.has("StrikePrice")) at = at.get("StrikePrice");
    if (at.has("Currency")) require_currency_of(t, asset, at.get("Currency"));
    name = "Value";
  }
  if (t.data.has("StrikeCurrency")) require_currency_of(t, asset, t.data.get("StrikeCurrency"));
  t.set_number("strike", at.get(name).number(), at.get(name));
}

void set_quantity(const OreTranslation& t, double sign) {
  const XmlElement quantity = t.data.get("Quantity");
  t.set_number("quantity", sign * quantity.number(), quantity);
}

/// Asset, currency and strike; `currency` is the child that names the latter.
void set_terms(const OreTranslation& t, const char* product, const char* currency) {
  t.set("product", product, t.data);
  const std::string asset = set_underlying(t);
  require_currency_of(t, asset, t.data.get(currency));
  set_strike(t, asset);
}

void set_option(const OreTranslation& t, bool may_be_american) {
  set_option_terms(t, may_be_american);
  set_quantity(t, ore_sign(t.data.get("OptionData")));
}

}  // namespace

void translate_equity_option(const OreTranslation& t) {
  set_terms(t, "european", "Currency");
  set_option(t, true);
}

void translate_equity_forward(const OreTranslation& t) {
  set_terms(t, "forward", "Currency");
  require_absent(t.data, "SettlementData", "payments after the maturity are not supported");
  t.set_date("maturity", t.data.get("Maturity"));
  set_quantity(t, ore_sign(t.data));
}

void translate_equity_digital(const OreTranslation& t) {
  set_terms(t, "digital", "PayoffCurrency");
  const XmlElement amount = t.data.get("PayoffAmount");
  t.set_number("cash", amount.number(), amount);
  set_option(t, false);
}

void translate_equity_barrier(const OreTranslation& t) {
  set_terms(t, "barrier", "Currency");
  set_barrier(t);
  set_option(t, false);
}

}  // namespace gsim::pricing
