#pragma once
// What libgsim_dates.so provides. Only this library is linked with QuantLib, and it is loaded when
// a configuration first needs dates: loading QuantLib takes 8 ms, half as long as the start of
// gsim.

#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

/// The functions of dates.hpp. A null calendar has every day as a business day.
struct DateFunctions {
  Date (*parse_date)(const std::string& text);
  std::string (*to_string)(Date date);
  double (*year_fraction)(DayCount day_count, Date from, Date to);
  Date (*cds_maturity)(Date trade, Tenor tenor);
  std::shared_ptr<const BusinessDays> (*find_calendar)(const std::string& name);
  bool (*is_business_day)(const BusinessDays& calendar, Date date);
  Date (*adjust)(const BusinessDays& calendar, Date date, BusinessDayConvention convention);
  Date (*advance)(const BusinessDays* calendar, Date date, Tenor tenor,
                  BusinessDayConvention convention, bool end_of_month);
  std::vector<Date> (*schedule)(const BusinessDays* calendar, Date from, Date to, Tenor step,
                                BusinessDayConvention convention);
  std::vector<Date> (*cds_schedule)(const BusinessDays* calendar, Date trade, Date end);
};

/// The name of the function of libgsim_dates.so that returns its DateFunctions, and its type.
inline constexpr const char* date_functions_name = "gsim_date_functions";
using GetDateFunctions = const DateFunctions*();

}  // namespace gsim::pricing
