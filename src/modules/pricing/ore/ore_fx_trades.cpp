// Trades on exchange rates of Open Source Risk Engine.
//
// The market has the exchange rate of a pair in one direction. A trade in the opposite one is that
// on the reciprocal rate: the right to buy an amount A of a currency for an amount B of another is
// the right to sell B of the other for A.

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/ore/ore_translation.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// The asset that is the price of one currency in another or, with `is_opposite`, the reciprocal of
/// that price.
struct Pair {
  std::string asset;
  bool is_opposite = false;
};

Pair pair_of(const OreTranslation& t, const XmlElement& foreign, const XmlElement& domestic) {
  const std::string direct = foreign.text() + domestic.text(),
                    opposite = domestic.text() + foreign.text();
  if (t.context.market->find(direct) >= 0) return {direct, false};
  if (t.context.market->find(opposite) >= 0) return {opposite, true};
  foreign.fail(
      fmt::format("the market has no exchange rate of {} and {}", excerpt(foreign.text()),
                  excerpt(domestic.text())),
      fmt::format("add its volatility to <FxVolatilities>, or [market.fx.{}]", excerpt(direct)));
}

double positive_amount(const XmlElement& element) {
  const double amount = element.number();
  if (!(amount > 0)) element.fail("the amount must be positive");
  return amount;
}

/// The asset, the strike and the amount of its foreign currency of a trade that exchanges two
/// amounts: `sign` times the latter or, on the reciprocal rate, `opposite_sign` times. Returns
/// whether the trade is on the reciprocal rate.
bool set_exchange(const OreTranslation& t, double sign, double opposite_sign) {
  const XmlElement bought = t.data.get("BoughtAmount"), sold = t.data.get("SoldAmount");
  const double amount = positive_amount(bought), price = positive_amount(sold);
  const Pair pair = pair_of(t, t.data.get("BoughtCurrency"), t.data.get("SoldCurrency"));
  t.set("asset", pair.asset, t.data.get("BoughtCurrency"));
  t.set_number("strike", pair.is_opposite ? amount / price : price / amount, sold);
  t.set_number("quantity", pair.is_opposite ? opposite_sign * price : sign * amount, bought);
  return pair.is_opposite;
}

/// The exchange of an option, which is one on either rate.
bool set_option_exchange(const OreTranslation& t) {
  const double sign = ore_sign(t.data.get("OptionData"));
  return set_exchange(t, sign, sign);
}

}  // namespace

void translate_fx_forward(const OreTranslation& t) {
  t.set("product", "forward", t.data);
  ore_word(t.data, "Settlement", {"Physical", "Cash"}, true);  // of the same value
  require_absent(t.data, "SettlementData", "payments after the value date are not supported");
  set_exchange(t, 1, -1);  // who buys a currency sells the other one
  t.set_date("maturity", t.data.get("ValueDate"));
}

void translate_fx_option(const OreTranslation& t) {
  t.set("product", "european", t.data);
  require_absent(t.data, "Delta", "strikes by delta are not supported");
  t.data.ignore("FXIndex");
  const bool is_opposite = set_option_exchange(t);
  set_option_terms(t, true, is_opposite);
}

void translate_fx_digital(const OreTranslation& t) {
  t.set("product", "digital", t.data);
  t.data.ignore("FXIndex");
  const XmlElement foreign = t.data.get("ForeignCurrency"),
                   domestic = t.data.get("DomesticCurrency");
  const Pair pair = pair_of(t, foreign, domestic);
  const XmlElement currency =
      t.data.has("PayoffCurrency") ? t.data.get("PayoffCurrency") : domestic;
  if (currency.text() != foreign.text() && currency.text() != domestic.text())
    currency.fail(fmt::format("the payment is in {}, which is none of both currencies",
                              excerpt(currency.text())));
  const bool pays_foreign = currency.text() == foreign.text();
  const XmlElement strike = t.data.get("Strike"), amount = t.data.get("PayoffAmount");
  const double level = positive_amount(strike), sign = ore_sign(t.data.get("OptionData"));
  t.set("asset", pair.asset, foreign);
  t.set_number("strike", pair.is_opposite ? 1 / level : level, strike);
  if (pays_foreign != pair.is_opposite) {  // one unit of the currency whose price the asset is
    t.set("pays", "asset", currency);
    t.set_number("quantity", sign * amount.number(), amount);
  } else {
    t.set_number("cash", amount.number(), amount);
    t.set_number("quantity", sign, amount);
  }
  set_option_terms(t, false, pair.is_opposite);
}

void translate_fx_barrier(const OreTranslation& t) {
  t.set("product", "barrier", t.data);
  t.data.ignore("FXIndex");
  const bool is_opposite = set_option_exchange(t);
  set_barrier(t, is_opposite);
  set_option_terms(t, false, is_opposite);
}

}  // namespace gsim::pricing
