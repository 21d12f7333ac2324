#pragma once
// Open Source Risk Engine's fixings: lines "20160203 EUR-EURIBOR-6M -0.0008".

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "gsim/config/cell_table.hpp"
#include "src/modules/pricing/dates/dates.hpp"

namespace gsim::pricing {

/// Values of indices on days.
class OreFixings {
 public:
  OreFixings() = default;
  /// ConfigError at a line that is none, or at a second value of an index on a day.
  explicit OreFixings(const InputFile& file);
  /// The value; nothing if the file has none.
  std::optional<double> find(const std::string& index, Date date) const;

 private:
  std::map<std::pair<std::string, int>, double> values_;  ///< by index and Date::serial
};

}  // namespace gsim::pricing
