#include "src/modules/pricing/ore/ore_indices.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

struct Family {
  std::string_view name, currency, calendar;
  int fixing_days;
  DayCount day_count;
  bool is_overnight;
};

constexpr Family families[] = {
    {"EUR-EURIBOR", "EUR", "TARGET", 2, DayCount::act_360, false},
    {"GBP-LIBOR", "GBP", "UK", 0, DayCount::act_365, false},
    {"EUR-EONIA", "EUR", "TARGET", 0, DayCount::act_360, true},
    {"EUR-ESTER", "EUR", "TARGET", 0, DayCount::act_360, true},
    {"GBP-SONIA", "GBP", "UK", 0, DayCount::act_365, true},
};

}  // namespace

std::optional<OreIndex> find_ore_index(const std::string& name) {
  for (const Family& family : families) {
    if (!name.starts_with(family.name)) continue;
    OreIndex index{name,
                   family.currency,
                   family.calendar,
                   family.fixing_days,
                   family.day_count,
                   family.is_overnight,
                   std::nullopt};
    const std::string rest = name.substr(family.name.size());
    if (rest.empty()) return index;
    if (!rest.starts_with("-") || family.is_overnight) continue;
    try {
      index.tenor = ore_tenor(rest.substr(1));
    } catch (const InputError&) {
      return std::nullopt;
    }
    return index;
  }
  return std::nullopt;
}

std::string ore_index_names() {
  std::string names;
  for (const Family& family : families)
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", family.name,
                         family.is_overnight ? "" : "-TENOR");
  return names;
}

}  // namespace gsim::pricing
