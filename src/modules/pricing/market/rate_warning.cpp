#include "src/modules/pricing/market/rate_warning.hpp"

#include <fmt/format.h>

namespace gsim::pricing {

void warn_of_rate(const SourceLocation& at, const std::string& name, double rate,
                  std::vector<std::string>& warnings) {
  constexpr double suspicious_rate = 1;
  if (rate > suspicious_rate)
    warnings.push_back(fmt::format("{}:{}: {} = {:g} is {:g} % a year; did you mean {:g}?", at.file,
                                   at.line, name, rate, 100 * rate, rate / 100));
}

}  // namespace gsim::pricing
