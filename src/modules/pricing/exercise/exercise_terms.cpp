#include "src/modules/pricing/exercise/exercise_terms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

constexpr Index max_exercise_dates = 10000;

bool has_date(const std::vector<double>& dates, double date) {
  return std::any_of(dates.begin(), dates.end(),
                     [&](double d) { return std::fabs(d - date) <= same_date; });
}

// Whether early exercise is possible at dates of the product's schedule only.
bool has_schedule(const TradeInput& t) { return !t.fixings.empty() && !t.continuous; }

// The first date at which exercise has a value: after the start of a forward start, or after that
// of the first period between fixings.
double first_possible_date(const TradeInput& t) {
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  double first = 0;
  if (payoff.dates != nullptr && !payoff.matures_at_value)
    for (const double date : payoff.dates(t)) first = std::max(first, date + same_date);
  const bool has_begun =
      !t.past_fixings.empty() || (t.script != nullptr && !t.script->past.empty());
  if (payoff.exercise_needs_period && !has_begun)
    first = std::max(first, t.fixings.front() + same_date);
  return first;
}

// Adds the moments before and after ex-dividend dates: a call is exercised before a dividend or at
// the maturity, a put after one.
void add_dividend_dates(const TradeInput& t, std::vector<double>& dates) {
  std::vector<double> more;
  for (const Index i : t.assets)
    for (const double date :
         drop_dates(t.market->assets[static_cast<std::size_t>(i)], t.maturity - same_date))
      if (date > same_date && !has_date(dates, date) && !has_date(more, date)) more.push_back(date);
  dates.insert(dates.end(), more.begin(), more.end());
  std::sort(dates.begin(), dates.end());
}

std::vector<double> american_dates(const ExerciseOptions& options, const TradeInput& t) {
  std::vector<double> dates;
  if (has_schedule(t)) {
    std::copy_if(t.fixings.begin(), t.fixings.end(), std::back_inserter(dates),
                 [first = first_possible_date(t)](double d) { return d >= first; });
  } else {
    const double n = std::max(1.0, std::ceil(t.maturity * options.dates_per_year - 1e-9));
    for (double i = 1; i < n; ++i) dates.push_back(t.maturity * i / n);
    add_dividend_dates(t, dates);
    dates.insert(dates.begin(), 0.0);
    std::erase_if(dates, [first = first_possible_date(t)](double d) { return d < first; });
  }
  return dates;
}

// The dates of a Bermudan trade as the keys give them.
std::vector<double> bermudan_dates(const Section& s, const TradeInput& t) {
  const bool is_listed = !t.exercise_dates.empty();
  if (is_listed == (t.exercise_count > 0))
    s.fail("exercise",
           "Bermudan exercise needs its dates: either `exercise_dates` or `exercise_count`",
           "give exercise_dates = [0.5, 1.0], or exercise_count = 4 for equal periods");
  if (is_listed) return t.exercise_dates;
  std::vector<double> dates;
  for (Index i = 1; i <= t.exercise_count; ++i)
    dates.push_back(t.maturity * static_cast<double>(i) / static_cast<double>(t.exercise_count));
  return dates;
}

void check_dates(const Section& s, const TradeInput& t, const std::vector<double>& dates) {
  const char* key = t.exercise_dates.empty() ? "exercise_count" : "exercise_dates";
  for (std::size_t i = 0; i < dates.size(); ++i) {
    if (i > 0 && dates[i] - dates[i - 1] <= same_date)
      s.fail(key, fmt::format("the exercise dates must increase, and {} follows {}", dates[i],
                              dates[i - 1]));
    if (dates[i] > t.maturity + same_date)
      s.fail(key,
             fmt::format("the exercise date {} is after the maturity {}", dates[i], t.maturity));
    if (dates[i] < first_possible_date(t))
      s.fail(key,
             fmt::format("the exercise date {} is not after the start of the option", dates[i]));
    if (has_schedule(t) && !has_date(t.fixings, dates[i]))
      s.fail(key,
             fmt::format("the exercise date {} is not one of the dates of the product's schedule",
                         dates[i]),
             "exercise at some of the `fixings`, so that the value of exercise is observed");
  }
}

// Sets the exercise dates: `dates`, from which today is taken, and of which the last is replaced by
// the maturity or followed by it.
void set_dates(const Section& s, const char* advice, std::vector<double> dates, TradeInput& t) {
  t.exercise.today = !dates.empty() && dates.front() <= same_date;
  if (t.exercise.today) dates.erase(dates.begin());
  if (dates.empty() || t.maturity - dates.back() > same_date) dates.push_back(t.maturity);
  dates.back() = t.maturity;
  if (dates.size() > static_cast<std::size_t>(max_exercise_dates))
    s.fail("exercise",
           fmt::format("the trade has {} exercise dates, and at most {} are supported",
                       dates.size(), max_exercise_dates),
           advice);
  t.exercise.dates = std::move(dates);
}

// A script says by its statements when its trade may be exercised.
void validate_exercise_of_script(const Section& s, TradeInput& t) {
  if (t.exercise.is_early())
    s.fail("exercise", "the statements `exercise` of a script say when it may be exercised",
           "leave the key out, and write in the script at which dates, and for what");
  std::vector<double> dates = exercise_dates_of(*t.script);
  if (dates.empty()) return;
  t.exercise.style = ExerciseStyle::bermudan;
  set_dates(s, "give the trade fewer dates", std::move(dates), t);
}

void check_payments(const Section& s, const TradeInput& t) {
  if (t.rebate < 0)
    s.fail("exercise", "early exercise of an option with a rebate below 0 is not supported",
           "leave `rebate` or `exercise` out");
}

}  // namespace

void describe_exercise_options(Section& s, ExerciseOptions& o) {
  s.optional("dates_per_year", o.dates_per_year,
             {.doc = "exercise dates per year of American trades without a schedule; with more "
                     "dates the price approaches that of continuous exercise from below",
              .unit = "1/year",
              .minimum = 1,
              .maximum = 1000});
  s.optional("paths", o.paths,
             {.doc = "paths of the regressions from which the exercise policy follows, rounded up "
                     "to whole blocks of 4096; the price uses other paths",
              .minimum = 4096,
              .maximum = 1 << 24});
  s.optional("degree", o.degree,
             {.doc = "total degree of the polynomials that approximate the value of continuation; "
                     "0: 5 for one variable, 8 with discrete dividends, 4 for two, 3 for up to "
                     "five, 2 for more",
              .minimum = 0,
              .maximum = 8});
  s.optional("in_the_money", o.in_the_money,
             {.doc = "whether the regressions use only paths on which exercise pays (Longstaff and "
                     "Schwartz 2001); those of scripts, of payoffs of plugins and of payoffs that "
                     "may be less than nothing always leave out paths without the right"});
  s.optional("upper_bound", o.upper_bound,
             {.doc = "whether an upper bound is computed besides the price, which is a lower bound "
                     "(Andersen and Broadie 2004); the time that it takes grows with the square of "
                     "the number of exercise dates"});
  s.optional("outer_paths", o.outer_paths,
             {.doc = "paths of the upper bound, rounded up to a multiple of 64",
              .minimum = 64,
              .maximum = 1 << 20});
  s.optional("inner_paths", o.inner_paths,
             {.doc = "paths from each exercise date of an outer path, rounded up to a multiple of "
                     "64; with fewer, the upper bound is higher",
              .minimum = 64,
              .maximum = 1 << 16});
}

void describe_exercise(Section& s, TradeInput& t) {
  static const KeyInfo dates{.doc =
                                 "increasing dates at which the trade may be exercised, besides "
                                 "its maturity; 0 is today",
                             .unit = "years",
                             .minimum = 0,
                             .maximum = longest_maturity,
                             .max_size = max_exercise_dates,
                             .is_date = true};
  static const KeyInfo count{
      .doc =
          "number of equal periods, in place of `exercise_dates`, with a date at the end of each",
      .minimum = 0,
      .maximum = max_exercise_dates};
  const auto describe_dates = [&](Section& q) {
    q.optional("exercise_dates", t.exercise_dates, dates);
    q.optional("exercise_count", t.exercise_count, count);
  };
  t.exercise.style = static_cast<ExerciseStyle>(s.alternatives(
      "exercise",
      {{"european", "at the maturity only", [](Section&) {}},
       {"american",
        "at the dates of the product's schedule or, without one, today, "
        "pricing.exercise.dates_per_year times a year, and before and after dividends",
        [](Section&) {}},
       {"bermudan", "at given dates", describe_dates}},
      0,
      {.doc = "when the trade may be exercised; early exercise pays what the product would pay "
              "if that date were its maturity (scripts have the statement `exercise` instead)"}));
}

void validate_exercise(const Section& s, const ExerciseOptions& options, TradeInput& t) {
  const bool is_scripted = t.script != nullptr && t.payoff->name == "scripted";
  if (is_scripted) return validate_exercise_of_script(s, t);
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  if (payoff.check_exercise != nullptr) payoff.check_exercise(s, t);
  if (!t.exercise.is_early()) return;
  if (!payoff.is_exercisable)
    s.fail("exercise",
           fmt::format("the product `{}` cannot be exercised before its maturity", t.payoff->name),
           "leave `exercise` out");
  check_payments(s, t);
  const bool is_american = t.exercise.style == ExerciseStyle::american;
  std::vector<double> dates = is_american ? american_dates(options, t) : bermudan_dates(s, t);
  check_dates(s, t, dates);
  set_dates(s,
            is_american && !has_schedule(t) ? "lower pricing.exercise.dates_per_year"
                                            : "give the trade fewer dates",
            std::move(dates), t);
  if (t.script != nullptr) {
    std::vector<double> before(t.exercise.dates.begin(), t.exercise.dates.end() - 1);
    if (t.exercise.today) before.insert(before.begin(), 0.0);
    set_exercise_dates(t, std::move(before));
  }
}

}  // namespace gsim::pricing
