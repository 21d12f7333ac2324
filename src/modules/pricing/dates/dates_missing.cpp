// Dates of a build without QuantLib: there are none.

#include "gsim/core/error.hpp"
#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {
namespace {

[[noreturn]] void fail() {
  throw InputError(
      "dates need QuantLib, and this gsim was built without it; install libquantlib0-dev and build "
      "gsim again, or give times in years");
}

}  // namespace

struct Calendar::Days {};

bool has_dates() { return false; }
Date parse_date(const std::string&) { fail(); }
std::string to_string(Date) { fail(); }
double year_fraction(DayCount, Date, Date) { fail(); }
Calendar::Calendar(const std::string& name) {
  if (name != "none") fail();
}
bool Calendar::is_business_day(Date) const { fail(); }
Date Calendar::adjust(Date, BusinessDayConvention) const { fail(); }
Date Calendar::advance(Date, Tenor, BusinessDayConvention, bool) const { fail(); }
std::vector<Date> Calendar::schedule(Date, Date, Tenor, BusinessDayConvention) const { fail(); }
std::vector<Date> Calendar::cds_schedule(Date, Date) const { fail(); }
Date cds_maturity(Date, Tenor) { fail(); }

}  // namespace gsim::pricing
