#pragma once
// Term rates that Open Source Risk Engine's files name, such as "EUR-EURIBOR-6M", with the market
// conventions of QuantLib's indices.

#include <optional>
#include <string>
#include <string_view>

#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

/// A term rate, or an overnight rate.
struct OreIndex {
  std::string name;
  std::string_view currency, calendar;  ///< the calendar of its fixings
  int fixing_days = 2;
  DayCount day_count = DayCount::act_360;
  bool is_overnight = false;
  std::optional<Tenor> tenor;  ///< of a term rate; may be absent in conventions ("EUR-EURIBOR")
};

/// The index of that name; nothing if it is not supported.
std::optional<OreIndex> find_ore_index(const std::string& name);
/// The names of the supported families, for messages.
std::string ore_index_names();

}  // namespace gsim::pricing
