#pragma once
// Which steps an observer looks at.

#include "gsim/core/types.hpp"

namespace gsim::md {

/// The multiples of `every` from step `from` on.
struct SampleSteps {
  Index every = 1;
  Index from = 0;

  Index next(Index step) const {
    const Index at_least = step > from ? step : from;
    return (at_least + every - 1) / every * every;
  }
  /// Samples before the one of `step`.
  Index index(Index step) const { return (step - next(0)) / every; }
};

}  // namespace gsim::md
