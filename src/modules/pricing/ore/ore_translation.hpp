#pragma once
// What the translations of all types of trades share.

#include <string>

#include "src/modules/pricing/ore/ore_trades.hpp"

namespace gsim::pricing {

/// One trade while it is translated.
struct OreTranslation {
  const OreContext& context;
  CellTable& row;
  XmlElement data;  ///< the element with the terms, such as <EquityOptionData>

  void set(const char* key, const std::string& value, const XmlElement& at) const;
  void set_number(const char* key, double value, const XmlElement& at) const;
  void set_date(const char* key, const XmlElement& at) const;
};

/// 1 for <LongShort> Long, -1 for Short.
double ore_sign(const XmlElement& parent);
/// ConfigError for terms of <OptionData> that change the value, and that gsim does not have.
void refuse_option_terms(const XmlElement& option);
/// Type, style and expiry of an option on an equity or an exchange rate. A call on one currency is
/// a put on the other one: `is_opposite`.
void set_option_terms(const OreTranslation& t, bool may_be_american, bool is_opposite = false);
/// Kind and level of the barrier of <BarrierData>, monitored from today; for `is_opposite` that of
/// the reciprocal rate.
void set_barrier(const OreTranslation& t, bool is_opposite = false);

/// The name of the currency of an asset of the market; empty if there is no such asset.
std::string ore_currency_of(const OreContext& context, const std::string& asset);

void translate_equity_option(const OreTranslation& t);
void translate_equity_forward(const OreTranslation& t);
void translate_equity_digital(const OreTranslation& t);
void translate_equity_barrier(const OreTranslation& t);
void translate_fx_forward(const OreTranslation& t);
void translate_fx_option(const OreTranslation& t);
void translate_fx_digital(const OreTranslation& t);
void translate_fx_barrier(const OreTranslation& t);

}  // namespace gsim::pricing
