#include "src/modules/pricing/curves/curve_quotes.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

// The dates of an instrument, and their times.
class InstrumentDates {
 public:
  InstrumentDates(const CurveQuote& quote, const CurveConventions& conventions,
                  const MarketDates& dates)
      : quote_(quote), c_(conventions), dates_(dates) {
    const Index days = quote.settlement_days < 0 ? c_.settlement_days : quote.settlement_days;
    spot_ = c_.calendar.advance(c_.calendar.adjust(*dates.today, BusinessDayConvention::following),
                                {static_cast<int>(days), TimeUnit::days},
                                BusinessDayConvention::following);
  }

  double time(Date date) const { return dates_.years(date); }
  Date spot() const { return spot_; }

  /// The day that `text` names, adjusted: a date, or a tenor from the spot date.
  Date adjusted(const std::string& text) const {
    const auto [tenor, date] = parse_date_or_tenor(text);
    return tenor ? c_.calendar.advance(spot_, *tenor, c_.convention, c_.end_of_month)
                 : c_.calendar.adjust(date, c_.convention);
  }

  /// The days between the periods of a leg that begins on the spot date.
  std::vector<Date> periods(Tenor step) const {
    const auto [tenor, date] = parse_date_or_tenor(quote_.maturity);
    const Date end =
        tenor ? Calendar().advance(spot_, *tenor, BusinessDayConvention::unadjusted) : date;
    if (end <= spot_) throw InputError(fmt::format("the {} ends before it begins", quote_.name()));
    return c_.calendar.schedule(spot_, end, step, c_.convention);
  }

 private:
  const CurveQuote& quote_;
  const CurveConventions& c_;
  const MarketDates& dates_;
  Date spot_;
};

ParInstrument single_period(const CurveQuote& quote, const CurveConventions& c,
                            const InstrumentDates& dates) {
  const Date start = quote.type == QuoteType::fra ? dates.adjusted(quote.start) : dates.spot();
  const Date end = dates.adjusted(quote.maturity);
  if (end <= start) throw InputError(fmt::format("the {} ends before it begins", quote.name()));
  const double last = dates.time(end);
  return {{{year_fraction(c.day_count, start, end), last}}, {{dates.time(start), last, last}}};
}

ParInstrument swap(const CurveConventions& c, const InstrumentDates& dates) {
  ParInstrument result;
  const std::vector<Date> fixed = dates.periods(c.fixed_tenor);
  for (std::size_t i = 1; i < fixed.size(); ++i)
    result.fixed.push_back(
        {year_fraction(c.fixed_day_count, fixed[i - 1], fixed[i]), dates.time(fixed[i])});
  const std::vector<Date> floating = dates.periods(c.float_tenor);
  for (std::size_t i = 1; i < floating.size(); ++i)
    result.floating.push_back(
        {dates.time(floating[i - 1]), dates.time(floating[i]), dates.time(floating[i])});
  return result;
}

// Both sides of an overnight swap pay once a year; the overnight rates of a period compound to
// D(start) / D(end) - 1.
ParInstrument overnight_swap(const CurveConventions& c, const InstrumentDates& dates) {
  ParInstrument result;
  const std::vector<Date> days = dates.periods({1, TimeUnit::years});
  for (std::size_t i = 1; i < days.size(); ++i) {
    const Date payment =
        c.calendar.advance(days[i], {static_cast<int>(c.payment_lag), TimeUnit::days},
                           BusinessDayConvention::following);
    result.fixed.push_back({year_fraction(c.day_count, days[i - 1], days[i]), dates.time(payment)});
    result.floating.push_back({dates.time(days[i - 1]), dates.time(days[i]), dates.time(payment)});
  }
  return result;
}

}  // namespace

std::string CurveQuote::name() const {
  const std::string start_text = start.empty() ? "" : excerpt(start) + " to ";
  return fmt::format("{} {}{}", quote_types[static_cast<std::size_t>(type)], start_text,
                     excerpt(maturity));
}

void describe_quote(Section& s, CurveQuote& q) {
  const auto describe = [&](Section& t) {
    static const KeyInfo type{
        .doc =
            "instrument: money-market deposit, forward-rate agreement, swap of fixed against "
            "term rates, or of fixed against compounded overnight rates"};
    static const KeyInfo start{.doc =
                                   "start of an FRA: a length of time from the spot date (\"3M\"), "
                                   "or a date",
                               .is_date = true};
    static const KeyInfo maturity{.doc = "end: a length of time from the spot date, or a date",
                                  .is_date = true};
    static const KeyInfo rate{.doc = "par rate", .unit = "1/year", .minimum = -1, .maximum = 10};
    static const KeyInfo days{
        .doc = "business days from today to the spot date; absent: as for the curve",
        .minimum = 0,
        .maximum = 10};
    int position = 0;
    t.required_word("type", position, quote_types, type);
    q.type = static_cast<QuoteType>(position);
    t.optional("start", q.start, start);
    t.required("maturity", q.maturity, maturity);
    t.required("rate", q.rate, rate);
    t.optional("settlement_days", q.settlement_days, days);
  };
  const auto validate = [&](const Section& t) {
    q.at = t.location("maturity");
    if (q.start.empty() != (q.type != QuoteType::fra))
      t.fail(q.start.empty() ? "type" : "start", "an FRA, and no other quote, has a `start`");
  };
  validated(describe, validate)(s);
}

ParInstrument instrument_of(const CurveQuote& quote, const CurveConventions& conventions,
                            const MarketDates& market_dates) {
  const InstrumentDates dates(quote, conventions, market_dates);
  switch (quote.type) {
    case QuoteType::deposit:
    case QuoteType::fra:
      break;
    case QuoteType::swap:
      return swap(conventions, dates);
    case QuoteType::ois:
      return overnight_swap(conventions, dates);
  }
  return single_period(quote, conventions, dates);
}

}  // namespace gsim::pricing
