#include "src/modules/pricing/ore/ore_translation.hpp"

#include <array>

#include <fmt/format.h>

#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {

void OreTranslation::set(const char* key, const std::string& value, const XmlElement& at) const {
  row.set(key, value, at.place());
}
void OreTranslation::set_number(const char* key, double value, const XmlElement& at) const {
  set(key, fmt::format("{}", value), at);
}
void OreTranslation::set_date(const char* key, const XmlElement& at) const {
  set(key, to_string(ore_date(at)), at);
}

double ore_sign(const XmlElement& parent) {
  return ore_word(parent, "LongShort", {"Long", "Short"}) == 0 ? 1 : -1;
}

void refuse_option_terms(const XmlElement& option) {
  require_absent(option, "Premiums", "premiums are not supported");
  require_absent(option, "PremiumAmount", "premiums are not supported");
  require_absent(option, "PaymentData", "payments after the expiry are not supported");
  require_absent(option, "ExerciseData", "options that were exercised are not supported");
  require_absent(option, "ExerciseFees", "fees for the exercise are not supported");
  option.ignore("AutomaticExercise");  // of an option that has expired
}

void set_option_terms(const OreTranslation& t, bool may_be_american, bool is_opposite) {
  const XmlElement option = t.data.get("OptionData");
  refuse_option_terms(option);
  const bool is_call = (ore_word(option, "OptionType", {"Call", "Put"}) == 0) != is_opposite;
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
}

void set_barrier(const OreTranslation& t, bool is_opposite) {
  const XmlElement barrier = t.data.get("BarrierData");
  static constexpr std::array<const char*, 4> kinds = {"up_and_out", "up_and_in", "down_and_out",
                                                       "down_and_in"};
  int kind = ore_word(barrier, "Type", {"UpAndOut", "UpAndIn", "DownAndOut", "DownAndIn"});
  if (is_opposite) kind = (kind + 2) % 4;  // up is down for the reciprocal rate
  t.set("kind", kinds[static_cast<std::size_t>(kind)], barrier.get("Type"));
  ore_word(barrier, "Style", {"American"}, true);
  const std::vector<XmlElement> levels = barrier.get("Levels").all("Level");
  if (levels.size() != 1)
    barrier.get("Levels").fail(fmt::format("{} levels where there is one", levels.size()));
  const double level = levels.front().number();
  if (!(level > 0)) levels.front().fail("the level of a barrier must be positive");
  t.set_number("barrier", is_opposite ? 1 / level : level, levels.front());
  require_number(barrier, "Rebate", 0, "rebates are not supported");
  require_absent(barrier, "OverrideTriggered", "barriers that were touched are not supported");
  if (t.data.has("StartDate") && ore_date(t.data.get("StartDate")) != *t.context.dates->today)
    t.data.get("StartDate")
        .fail(
            "a barrier that is monitored from another day than today is not "
            "supported");
  t.data.ignore("Calendar");  // of the days before today
  t.set("monitoring", "continuous", barrier);
}

std::string ore_currency_of(const OreContext& context, const std::string& asset) {
  const MarketConfig& market = *context.market;
  const Index found = market.find(asset);
  if (found < 0) return {};
  const AssetConfig& config = market.assets[static_cast<std::size_t>(found)];
  if (!config.problem.empty()) return {};
  return config.currency == base_currency ? context.currency
                                          : currency_name(market, config.currency);
}

}  // namespace gsim::pricing
