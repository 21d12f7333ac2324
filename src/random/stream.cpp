#include "gsim/random/stream.hpp"

#include <string>

#include "gsim/core/error.hpp"

namespace gsim {

void check_addresses(const char* what, Index entities, Index steps, Index words) {
  const std::string use = what;
  GSIM_VALIDATE(entities >= 0 && steps >= 0 && words >= 0,
                use + ": the number of random draws exceeds 63 bits", "make the run smaller");
  GSIM_VALIDATE(static_cast<std::uint64_t>(steps) <= random_step_limit,
                use + " needs " + std::to_string(steps) +
                    " steps per entity, and random-number addresses have room for 2^40",
                "use fewer steps");
  GSIM_VALIDATE(static_cast<std::uint64_t>(words) <= 4 * random_block_limit,
                use + " needs " + std::to_string(words) +
                    " random words per step, and random-number addresses have room for 2^26",
                "use fewer factors per step");
}

}  // namespace gsim
