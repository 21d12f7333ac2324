#pragma once
// The functors by which kernels find the bins of filters, looked up by the name of the quantity
// that is binned.

#include <string_view>

#include "kernels/transport/tallies/filter_traits.hpp"

namespace gsim::transport {

struct FilterFunctor {
  std::string_view quantity;
  std::int32_t number = 0;  ///< value of TallyFilter::functor
  FilterTraits traits;
};

/// InputError for an unknown quantity, which is an error of the filter's plugin.
const FilterFunctor& filter_functor(std::string_view quantity);

}  // namespace gsim::transport
