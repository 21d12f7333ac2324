#include "src/modules/pricing/curves/credit_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

struct CreditInput {
  MarketCredit issuer;
  std::vector<double> hazard_rates;
  std::vector<std::string> maturities;
  std::vector<double> spreads;
  std::string calendar = "weekends", discount;
};

void describe_issuer(Section& s, CreditInput& c) {
  s.optional("recovery", c.issuer.recovery,
             {.doc = "share of a claim that is paid after a default",
              .minimum = 0,
              .maximum = 1,
              .exclusive_maximum = true});
  s.optional("times", c.issuer.times,
             {.doc = "ends of the intervals of the hazard rates, increasing; in place of spreads",
              .unit = "years",
              .is_date = true});
  s.optional("hazard_rates", c.hazard_rates,
             {.doc = "the hazard rate of the interval that ends at each time; after the last time, "
                     "the last one is used",
              .unit = "1/year",
              .minimum = 0,
              .maximum = 10});
  s.optional(
      "maturities", c.maturities,
      {.doc = "maturities of credit default swaps: lengths of time (\"5Y\"), after which they "
              "end on the next 20 June or December, or dates",
       .is_date = true});
  s.optional(
      "spreads", c.spreads,
      {.doc = "par spreads of the credit default swaps, paid quarterly, act/360, and accrued "
              "at default, as in the ISDA standard model",
       .unit = "1/year",
       .minimum = 0,
       .maximum = 10});
  s.optional("calendar", c.calendar, {.doc = "business days of the payments, as market.calendar"});
  s.optional("discount", c.discount,
             {.doc = "curve of [market.curves] that discounts the payments; absent: market.rate"});
}

double act_360(Date from, Date to) { return year_fraction(DayCount::act_360, from, to); }

// Dates of the ISDA standard model: protection includes the first and last day, so that survival is
// that to the end of the day before; the last period accrues to its end inclusively; what has
// accrued until today, inclusively, is paid back after three business days.
CreditDefaultSwap swap_of(const std::string& maturity, const Calendar& calendar,
                          const MarketDates& dates) {
  const Date today = *dates.today;
  const auto [tenor, date] = parse_date_or_tenor(maturity);
  const Date end = tenor ? cds_maturity(today, *tenor) : date;
  if (end <= today) throw InputError(fmt::format("the CDS {} has ended", excerpt(maturity)));
  const std::vector<Date> days = calendar.cds_schedule(today, end);
  const auto before = [&](Date date) { return dates.years({date.serial - 1}); };
  const Date first{today.serial + 1};  // of protection
  CreditDefaultSwap swap;
  swap.protection_start = before(first);
  swap.protection_end = dates.years(end);
  for (std::size_t i = 1; i < days.size(); ++i) {
    const Date from = days[i - 1], to = days[i];
    const bool is_last = i + 1 == days.size();
    const Date payment = calendar.adjust(to, BusinessDayConvention::following);
    const double accrual = act_360(from, is_last ? Date{to.serial + 1} : to);
    swap.periods.push_back({accrual, dates.years(payment), before(payment), before(from),
                            act_360(from, to) / (dates.years(to) - dates.years(from)),
                            before(std::max(from, first)), before(payment)});
  }
  if (days.front() < first) swap.accrued = act_360(days.front(), first);
  swap.accrued_payment =
      dates.years(calendar.advance(today, {3, TimeUnit::days}, BusinessDayConvention::following));
  return swap;
}

void check_times(const Section& s, const CreditInput& c) {
  const std::vector<double>& times = c.issuer.times;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] <= (i == 0 ? 0 : times[i - 1]))
      s.fail("times", fmt::format("pillars must be positive and increasing, but pillar {} is {}",
                                  i + 1, times[i]));
  if (c.hazard_rates.size() != times.size())
    s.fail("hazard_rates",
           fmt::format("{} hazard rates for {} pillars", c.hazard_rates.size(), times.size()));
}

std::vector<CreditDefaultSwap> quoted_swaps(const Section& s, const CreditInput& c,
                                            const MarketDates& dates) {
  const char* key = "calendar";
  std::vector<CreditDefaultSwap> swaps;
  try {
    const Calendar calendar(c.calendar);
    key = "maturities";
    for (const std::string& maturity : c.maturities)
      swaps.push_back(swap_of(maturity, calendar, dates));
  } catch (const InputError& error) {
    s.fail(key, error.what());
  }
  for (std::size_t i = 1; i < swaps.size(); ++i)
    if (swaps[i].last_time() <= swaps[i - 1].last_time())
      s.fail("maturities", fmt::format("maturities must increase, but {} does not end after {}",
                                       excerpt(c.maturities[i]), excerpt(c.maturities[i - 1])));
  return swaps;
}

void bootstrap_issuer(const Section& s, CreditInput& c, const MarketDates& dates,
                      const StepFunction& rate) {
  if (c.spreads.size() != c.maturities.size())
    s.fail("spreads",
           fmt::format("{} spreads for {} maturities", c.spreads.size(), c.maturities.size()));
  if (!dates.today)
    s.fail("maturities", "credit default swaps need the date of today", "set market.date");
  const std::vector<CreditDefaultSwap> swaps = quoted_swaps(s, c, dates);
  const BootstrappedHazard result = bootstrap_hazard(swaps, c.spreads, rate, c.issuer.recovery);
  if (result.unmet_quote >= 0) {
    const auto i = static_cast<std::size_t>(result.unmet_quote);
    s.fail("spreads",
           fmt::format("the spreads admit no curve: with the spreads of earlier maturities, no "
                       "hazard rate from 0 to 10 gives the CDS {} the par spread {}",
                       excerpt(c.maturities[i]), c.spreads[i]),
           "spreads are per year: 0.01 is 100 basis points");
  }
  c.issuer.curve = CreditCurve(result.hazard_rate);
  for (std::size_t i = 0; i < swaps.size(); ++i) {
    c.issuer.times.push_back(swaps[i].last_time());
    c.issuer.quotes.push_back("CDS " + excerpt(c.maturities[i]));
    c.issuer.quote_errors.push_back(
        par_spread(swaps[i], result.hazard_rate, rate, c.issuer.recovery) - c.spreads[i]);
  }
}

void validate_issuer(const Section& s, CreditInput& c, const MarketDates& dates,
                     const std::vector<MarketCurve>& curves, const StepFunction& rate) {
  if (c.issuer.times.empty() == c.maturities.empty())
    s.fail("",
           "a credit curve needs either `times` and `hazard_rates`, or `maturities` and "
           "`spreads`");
  if (c.issuer.times.empty()) {
    if (!c.hazard_rates.empty()) s.fail("hazard_rates", "`hazard_rates` need their `times`");
    const StepFunction discount =
        c.discount.empty() ? rate
                           : require_curve(s, "discount", curves, c.discount).curve.forward_rates();
    return bootstrap_issuer(s, c, dates, discount);
  }
  if (!c.spreads.empty()) s.fail("spreads", "`spreads` need their `maturities`");
  if (!c.discount.empty()) s.fail("discount", "only a curve with spreads has a discount curve");
  check_times(s, c);
  c.issuer.curve = CreditCurve(StepFunction(c.issuer.times, c.hazard_rates));
}

}  // namespace

const MarketCredit* find_credit(const std::vector<MarketCredit>& issuers, std::string_view name) {
  const auto found = std::find_if(issuers.begin(), issuers.end(),
                                  [&](const MarketCredit& c) { return c.name == name; });
  return found == issuers.end() ? nullptr : &*found;
}

std::string left_out_text(const std::string& name, const std::string& problem) {
  return fmt::format("the issuer `{}` is left out: {}", excerpt(name), problem);
}

void describe_credit(Section& market, const MarketDates& dates, const MoreTables& more,
                     const std::vector<MarketCurve>& curves, const StepFunction& rate,
                     std::vector<MarketCredit>& issuers, std::vector<std::string>& warnings) {
  bool is_from_file = false;
  const auto describe = [&](Section& section) {
    section.named_tables(
        "credit",
        [&](Section& table, const std::string& name) {
          CreditInput input;
          input.issuer.name = name;
          if (find_credit(issuers, name) != nullptr)
            table.fail("", fmt::format("the issuer `{}` is in the files of [ore] and in "
                                       "[market.credit]",
                                       excerpt(name)));
          try {
            validated(
                [&](Section& s) { describe_issuer(s, input); },
                [&](const Section& s) { validate_issuer(s, input, dates, curves, rate); })(table);
          } catch (const InputError& error) {
            if (!is_from_file) throw;
            table.ignore_unread();
            warnings.push_back(left_out_text(name, error.what()));
            return;
          }
          issuers.push_back(std::move(input.issuer));
        },
        "credit curves of issuers, under names of your choice: by hazard rates, or bootstrapped "
        "from spreads of credit default swaps");
  };
  validated(describe, [&](const Section&) {
    is_from_file = true;
    if (more) more(describe);
  })(market);
}

}  // namespace gsim::pricing
