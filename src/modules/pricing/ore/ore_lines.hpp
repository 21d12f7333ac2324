#pragma once
// Lines of Open Source Risk Engine's text files of market data and fixings: a date, a key and a
// number, separated by blanks, commas or semicolons; lines that begin with # are comments.

#include <functional>
#include <string_view>

#include "gsim/config/cell_table.hpp"
#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

struct OreLine {
  Date date;
  std::string_view key;
  double value = 0;
  TextPlace at;  ///< of the key
};

/// Calls use(line) for the lines. ConfigError at a line that is none.
void for_each_ore_line(const TextSource& source, const std::function<void(const OreLine&)>& use);

}  // namespace gsim::pricing
