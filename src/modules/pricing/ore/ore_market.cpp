#include "src/modules/pricing/ore/ore_market.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/curves/credit_config.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

/// The parts of a specification such as "Yield/EUR/EUR6M".
struct CurveSpec {
  std::string currency, id;
};
/// ConfigError unless the text of the element begins with `type`.
CurveSpec curve_spec(const XmlElement& element, const std::string& type) {
  const std::string spec = element.text();
  if (!spec.starts_with(type + "/"))
    element.fail(fmt::format("\"{}\" is not supported here, where {}/CURRENCY/CURVE is",
                             excerpt(spec), type));
  const std::size_t at = spec.find('/', type.size() + 1);
  if (at == std::string::npos) element.fail(fmt::format("\"{}\" names no curve", excerpt(spec)));
  return {spec.substr(type.size() + 1, at - type.size() - 1), spec.substr(at + 1)};
}

}  // namespace

/// The lists of todaysmarket.xml that the configuration "default" uses.
class OreMarket::Lists {
 public:
  explicit Lists(const XmlElement& root) : root_(root) {
    for (const XmlElement& configuration : root.all("Configuration")) {
      const bool is_default = configuration.attribute("id") == "default";
      for (const XmlElement& id : configuration.children()) {
        const std::string kind = id.name();
        if (is_default && kind.ends_with("Id")) ids_[kind.substr(0, kind.size() - 2)] = id.text();
      }
      configuration.ignore_unread();
    }
  }

  /// The entries of a list, such as <Index> of "IndexForwardingCurves", with different values of
  /// the attribute `key`.
  std::vector<XmlElement> entries(const std::string& list, const char* entry,
                                  const char* key = "name") {
    const auto named = ids_.find(list);
    const std::string id = named == ids_.end() ? "default" : named->second;
    std::vector<XmlElement> result;
    std::set<std::string> names;
    for (const XmlElement& element : root_.all(list))
      if (element.attribute("id") == id)
        for (const XmlElement& found : element.all(entry)) {
          const std::string name = found.attribute(key);
          if (!names.insert(name).second)
            found.fail(fmt::format("a second <{}> with the {} `{}`", entry, key, excerpt(name)),
                       "leave one of them out");
          result.push_back(found);
        }
      else
        element.ignore_unread();
    return result;
  }

 private:
  XmlElement root_;
  std::map<std::string, std::string> ids_;
};

OreMarketFiles::OreMarketFiles(const OreOptions& options, const MarketDates& market_dates)
    : currency(options.currency),
      dates(market_dates),
      todays_market(*options.todays_market, "TodaysMarket"),
      curves(*options.curves, "CurveConfiguration"),
      conventions(*options.conventions, "Conventions"),
      quotes(*options.quotes, *market_dates.today) {}

XmlElement OreMarketFiles::config(const char* list, const char* kind, const std::string& id,
                                  const XmlElement& user) const {
  std::vector<std::string> names;
  if (curves.root().has(list))
    for (const XmlElement& candidate : curves.root().get(list).all(kind)) {
      names.push_back(candidate.text("CurveId"));
      if (names.back() == id) return candidate;
    }
  user.fail(fmt::format("curveconfig.xml has no <{}> with the CurveId \"{}\"", kind, excerpt(id)),
            suggest_known(id, names, "there are"));
}

XmlElement OreMarketFiles::convention(const char* kind, const XmlElement& user) const {
  const XmlElement name = user.get("Conventions");
  const std::string id = name.text();
  std::vector<std::string> names;
  for (const XmlElement& candidate : conventions.root().all(kind)) {
    names.push_back(candidate.text("Id"));
    if (names.back() == id) return candidate;
  }
  name.fail(fmt::format("conventions.xml has no <{}> with the Id \"{}\"", kind, excerpt(id)),
            suggest_known(id, names, "there are"));
}

Date OreMarketFiles::pillar(const OreQuote& quote, const std::string& text,
                            const Calendar& calendar, BusinessDayConvention convention) const {
  return locate_errors(quote.element.location(), [&] {
    if (text.find('-') != std::string::npos || text.size() == 8) return ore_date(text);
    return calendar.advance(*dates.today, ore_tenor(text), convention);
  });
}

void OreMarketFiles::require_day_count(const XmlElement& parent, const char* child) const {
  const bool is_given = parent.has(child);
  const XmlElement element = is_given ? parent.get(child) : parent;
  if ((is_given ? ore_day_count(element) : DayCount::act_365) != dates.day_count)
    element.fail(fmt::format("the day count{} is not {}, by which the market converts dates to "
                             "times",
                             is_given ? "" : fmt::format(", A365 without <{}>,", child),
                             day_counts[static_cast<std::size_t>(dates.day_count)]),
                 "set market.day_count to that of all curves");
}

void require_currency(const XmlElement& parent, const std::string& currency) {
  const XmlElement element = parent.get("Currency");
  if (element.text() != currency)
    element.fail(fmt::format("the currency is {}, and {} is needed here", excerpt(element.text()),
                             excerpt(currency)));
}

OreMarket::OreMarket(const OreOptions& options, const MarketDates& dates,
                     const std::set<std::string>& needed)
    : files_(options, dates) {
  const TextPlace at = files_.todays_market.root().place();
  for (auto* table : {&curves_, &currencies_, &credit_, &assets_, &exchange_rates_})
    *table = std::make_unique<CellTable>(at);
  read_todays_market(needed);
}

OreMarket::~OreMarket() = default;

std::string OreMarket::forecast_curve(const std::string& index) const {
  const auto found = forecast_curves_.find(index);
  return found == forecast_curves_.end() ? "" : found->second;
}

void OreMarket::add_curve(const std::string& id, const std::string& currency,
                          const XmlElement& user) {
  CellTable curves = curves_->table("curves", user.place());
  if (curves.has(id)) return;
  const XmlElement config = files_.config("YieldCurves", "YieldCurve", id, user);
  try {
    std::vector<std::string> needed;
    add_yield_curve(files_, config, currency, curves_->table("curves", user.place()), needed);
    for (const std::string& other : needed) add_curve(other, currency, config);
  } catch (const ConfigError&) {  // which leaves out an issuer, if the curve is only of its swaps
    curves.remove(id);
    throw;
  }
}

void OreMarket::read_discount_curve(Lists& lists) {
  const std::string& currency = files_.currency;
  for (const XmlElement& entry : lists.entries("DiscountingCurves", "DiscountingCurve", "currency"))
    discounting_.emplace(entry.attribute("currency"), entry);
  if (!discounting_.contains(currency))
    files_.todays_market.root().fail(fmt::format("no curve discounts {}", currency),
                                     "add it to <DiscountingCurves id=\"default\">");
  discount_curve_ = discount_curve_of(currency, discounting_.at(currency));
}

/// The CurveId of the curve that discounts a currency; the first call reads the curve. Throws a
/// ConfigError at `user` if todaysmarket.xml has no curve of the currency.
const std::string& OreMarket::discount_curve_of(const std::string& currency,
                                                const XmlElement& user) {
  const auto known = discount_curves_.find(currency);
  if (known != discount_curves_.end()) return known->second;
  const auto found = discounting_.find(currency);
  if (found == discounting_.end())
    user.fail(fmt::format("no curve discounts {}", excerpt(currency)),
              "add it to <DiscountingCurves id=\"default\">");
  const XmlElement& entry = found->second;
  const CurveSpec spec = curve_spec(entry, "Yield");
  if (spec.currency != currency) entry.fail("a curve of another currency is not supported here");
  add_curve(spec.id, currency, entry);
  if (currency != files_.currency)
    currencies_->table("currencies", entry.place())
        .table(currency, entry.place())
        .set("rate", spec.id, entry.place());
  return discount_curves_.emplace(currency, spec.id).first->second;
}

void OreMarket::read_forecast_curves(Lists& lists, const std::set<std::string>& needed) {
  for (const XmlElement& entry : lists.entries("IndexForwardingCurves", "Index")) {
    const std::string name = entry.attribute("name");
    const CurveSpec spec = curve_spec(entry, "Yield");
    if (needed.contains(name) || needed.contains(spec.id)) {
      discount_curve_of(spec.currency, entry);
      add_curve(spec.id, spec.currency, entry);
      forecast_curves_.emplace(name, spec.id);
    } else {
      ++others_;
    }
  }
}

void OreMarket::read_equities(Lists& lists) {
  std::map<std::string, XmlElement> volatilities;
  for (const XmlElement& entry : lists.entries("EquityVolatilities", "EquityVolatility"))
    volatilities.emplace(entry.attribute("name"), entry);
  for (const XmlElement& entry : lists.entries("EquityCurves", "EquityCurve")) {
    const std::string name = entry.attribute("name");
    const CurveSpec spec = curve_spec(entry, "Equity");
    try {
      const auto volatility = volatilities.find(name);
      if (volatility == volatilities.end())
        entry.fail(fmt::format("there is no volatility of the equity `{}`", excerpt(name)),
                   "add it to <EquityVolatilities>");
      const XmlElement& at = volatility->second;
      const CurveSpec of_volatility = curve_spec(at, "EquityVolatility");
      if (of_volatility.currency != spec.currency)
        at.fail(fmt::format("the volatility is of an equity in {}, and `{}` is in {}",
                            excerpt(of_volatility.currency), excerpt(name),
                            excerpt(spec.currency)));
      add_equity(files_, name, files_.config("EquityCurves", "EquityCurve", spec.id, entry),
                 files_.config("EquityVolatilities", "EquityVolatility", of_volatility.id, at),
                 {spec.currency, discount_curve_of(spec.currency, entry)},
                 curves_->table("curves", entry.place()), assets_->table("assets", entry.place()));
    } catch (const ConfigError& error) {
      assets_->table("assets", entry.place()).remove(name);
      curves_->table("curves", entry.place()).remove(dividend_curve(name));
      problems_.push_back({name, error.what()});
    }
  }
  for (const auto& [name, entry] : volatilities) entry.ignore_unread();
}

/// Exchange rates with volatilities: first those of the currency of [ore], then those that connect
/// one more currency with it. Of further ones the prices follow from these.
void OreMarket::read_exchange_rates(Lists& lists) {
  std::vector<XmlElement> left = lists.entries("FxVolatilities", "FxVolatility", "pair");
  std::stable_partition(left.begin(), left.end(), [&](const XmlElement& entry) {
    return entry.attribute("pair").find(files_.currency) != std::string::npos;
  });
  std::set<std::string> connected = {files_.currency};
  for (std::size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::erase_if(left,
                  [&](const XmlElement& entry) { return read_exchange_rate(entry, connected); });
  }
  for (const XmlElement& entry : left) {
    entry.ignore_unread();
    problems_.push_back(
        {entry.attribute("pair"),
         fmt::format("{}: no exchange rate that is supported connects the "
                     "currencies of `{}` with {}",
                     entry.location().file, excerpt(entry.attribute("pair")), files_.currency)});
  }
}

/// Returns false if neither of its currencies is connected yet.
bool OreMarket::read_exchange_rate(const XmlElement& entry, std::set<std::string>& connected) {
  constexpr std::size_t letters = 3;
  const std::string pair = entry.attribute("pair");
  const std::string foreign = pair.substr(0, std::min(letters, pair.size())),
                    domestic = pair.substr(foreign.size());
  const bool has_foreign = connected.contains(foreign), has_domestic = connected.contains(domestic);
  if (!has_foreign && !has_domestic) return false;
  const TextPlace at = entry.place();
  try {
    const std::string type = fmt::format("FXVolatility/{}", foreign);
    const CurveSpec spec = curve_spec(entry, type);
    if (spec.currency != domestic)
      entry.fail(fmt::format("the pair is `{}`, and its volatility that of {}{}", excerpt(pair),
                             excerpt(foreign), excerpt(spec.currency)));
    if (has_foreign && has_domestic)
      entry.fail(fmt::format("the exchange rate `{}` follows from others, whose volatilities and "
                             "correlations give its own",
                             excerpt(pair)),
                 "leave one of them out of <FxVolatilities>");
    for (const std::string& currency : {foreign, domestic}) discount_curve_of(currency, entry);
    add_exchange_rate(files_, foreign, domestic,
                      files_.config("FXVolatilities", "FXVolatility", spec.id, entry),
                      exchange_rates_->table("fx", at));
    connected.insert({foreign, domestic});
  } catch (const ConfigError& error) {
    entry.ignore_unread();
    exchange_rates_->table("fx", at).remove(pair);
    problems_.push_back({pair, error.what()});
  }
  return true;
}

void OreMarket::read_credit(Lists& lists) {
  for (const XmlElement& entry : lists.entries("DefaultCurves", "DefaultCurve")) {
    const std::string name = entry.attribute("name");
    const CurveSpec spec = curve_spec(entry, "Default");
    if (spec.currency != files_.currency) {
      ++others_;
      continue;
    }
    try {
      const XmlElement config = files_.config("DefaultCurves", "DefaultCurve", spec.id, entry);
      const std::string discount =
          add_credit(files_, name, config, credit_->table("credit", entry.place()));
      if (!discount.empty()) add_curve(discount, files_.currency, config);
    } catch (const ConfigError& error) {
      credit_->table("credit", entry.place()).remove(name);
      warnings_.push_back(left_out_text(name, error.what()));
    }
  }
}

void OreMarket::warn_of_rest(const XmlElement& root) {
  static const std::set<std::string> used = {
      "Configuration",         "DiscountingCurves", "EquityCurves",  "EquityVolatilities",
      "IndexForwardingCurves", "DefaultCurves",     "FxVolatilities"};
  std::set<std::string> kinds;
  for (const XmlElement& list : root.children()) {
    if (used.contains(list.name())) continue;
    if (list.name() == "FxSpots") {  // their values are the quotes FX/RATE themselves
      list.ignore_unread();
      continue;
    }
    kinds.insert(list.name());
    list.ignore_unread();
  }
  for (const auto& [currency, entry] : discounting_)
    if (!discount_curves_.contains(currency)) {
      ++others_;
      entry.ignore_unread();
    }
  root.refuse_unread();
  std::string what =
      others_ > 0 ? count_of(others_, "curve") + " of other currencies or indices" : "";
  for (const std::string& kind : kinds) what += (what.empty() ? "" : ", ") + kind;
  if (!what.empty())
    warnings_.push_back(fmt::format("{}: not read, because nothing that is supported needs it: {}",
                                    root.location().file, what));
}

void OreMarket::read_todays_market(const std::set<std::string>& needed) {
  const XmlElement root = files_.todays_market.root();
  Lists lists(root);
  read_discount_curve(lists);
  read_forecast_curves(lists, needed);
  read_exchange_rates(lists);
  read_equities(lists);
  read_credit(lists);
  warn_of_rest(root);
  for (const XmlDocument* document : {&files_.todays_market, &files_.curves, &files_.conventions})
    document->warn_of_ignored(warnings_);
}

}  // namespace gsim::pricing
