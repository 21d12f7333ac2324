#include "src/modules/pricing/dates/dates.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/dates/date_functions.hpp"
#include "src/modules/pricing/side_library.hpp"

namespace gsim::pricing {
namespace {

// libgsim_dates.so, beside the library that contains this function, or why it cannot be used.
struct LoadedFunctions {
  const DateFunctions* functions = nullptr;
  std::string problem;
};

LoadedFunctions load() {
  const SideFunction found = load_side_function("libgsim_dates.so", date_functions_name);
  if (found.function == nullptr) return {nullptr, found.problem};
  return {reinterpret_cast<GetDateFunctions*>(found.function)(), {}};
}

const LoadedFunctions& loaded() {
  static const LoadedFunctions functions = load();
  return functions;
}

const DateFunctions& functions() {
  if (loaded().functions == nullptr)
    throw InputError(
        fmt::format("dates need QuantLib, and libgsim_dates.so, which gsim builds with it, is not "
                    "available ({}); install libquantlib0-dev and build gsim again, or give times "
                    "in years",
                    loaded().problem));
  return *loaded().functions;
}

}  // namespace

bool has_dates() { return loaded().functions != nullptr; }

Date parse_date(const std::string& text) { return functions().parse_date(text); }

std::string to_string(Date date) { return functions().to_string(date); }

double year_fraction(DayCount day_count, Date from, Date to) {
  return functions().year_fraction(day_count, from, to);
}

Date cds_maturity(Date trade, Tenor tenor) { return functions().cds_maturity(trade, tenor); }

Calendar::Calendar(const std::string& name) {
  if (name != "none") days_ = functions().find_calendar(name);
}

bool Calendar::is_business_day(Date date) const {
  return days_ == nullptr || functions().is_business_day(*days_, date);
}

Date Calendar::adjust(Date date, BusinessDayConvention convention) const {
  return days_ == nullptr ? date : functions().adjust(*days_, date, convention);
}

Date Calendar::advance(Date date, Tenor tenor, BusinessDayConvention convention,
                       bool end_of_month) const {
  return functions().advance(days_.get(), date, tenor, convention, end_of_month);
}

std::vector<Date> Calendar::schedule(Date from, Date to, Tenor step,
                                     BusinessDayConvention convention) const {
  return functions().schedule(days_.get(), from, to, step, convention);
}

std::vector<Date> Calendar::cds_schedule(Date trade, Date end) const {
  return functions().cds_schedule(days_.get(), trade, end);
}

}  // namespace gsim::pricing
