#pragma once
// Conventions of the money and swap markets of a currency.

#include <array>
#include <string>
#include <string_view>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

inline constexpr std::array<std::string_view, 5> currencies = {"USD", "EUR", "GBP", "JPY", "CHF"};

/// How quoted instruments turn into dates and year fractions.
struct CurveConventions {
  Calendar calendar;
  BusinessDayConvention convention = BusinessDayConvention::modified_following;
  Index settlement_days = 2;               ///< business days from today to the spot date
  bool end_of_month = true;                ///< of deposits and FRAs
  DayCount day_count = DayCount::act_360;  ///< of deposits, FRAs, floating and OIS payments
  Tenor fixed_tenor{1, TimeUnit::years};   ///< of the fixed payments of swaps
  DayCount fixed_day_count = DayCount::thirty_360;
  Tenor float_tenor{6, TimeUnit::months};  ///< of the floating payments of swaps
  Index payment_lag = 0;  ///< business days from the end of an OIS period to its payment
};

/// The keys of conventions; those that are absent follow from the currency.
struct ConventionKeys {
  int currency = 0;  ///< position in `currencies`
  std::string calendar;
  int convention = 1;
  Index settlement_days = -1;
  bool end_of_month = true;
  std::string day_count, fixed_day_count, fixed_tenor, float_tenor;
  Index payment_lag = -1;
};

void describe_conventions(Section& s, ConventionKeys& keys);
CurveConventions conventions_of(const Section& s, const ConventionKeys& keys);

}  // namespace gsim::pricing
