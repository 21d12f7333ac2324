#include "src/modules/transport/tallies/filter_functors.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "kernels/transport/tallies/filters.hpp"

namespace gsim::transport {

const FilterFunctor& filter_functor(std::string_view quantity) {
  static const std::vector<FilterFunctor> functors{
#define GSIM_FILTER_FUNCTOR(name, Functor)                                  \
  {#name, static_cast<std::int32_t>(transport_kernels::FilterNumber::name), \
   transport_kernels::Functor::traits},
      GSIM_TALLY_FILTERS(GSIM_FILTER_FUNCTOR)
#undef GSIM_FILTER_FUNCTOR
  };
  const auto found = std::ranges::find(functors, quantity, &FilterFunctor::quantity);
  if (found == functors.end()) {
    std::vector<std::string> known;
    for (const FilterFunctor& f : functors) known.emplace_back(f.quantity);
    throw InputError(fmt::format("a filter bins by the unknown quantity `{}`; {}", quantity,
                                 suggest_known(quantity, known, "there are")));
  }
  return *found;
}

}  // namespace gsim::transport
