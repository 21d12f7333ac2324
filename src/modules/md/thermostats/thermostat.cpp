#include "gsim/md/thermostats/thermostat.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {

void check_thermostat_time(double time, double time_step) {
  if (!(time >= 5 * time_step))
    throw InputError(
        fmt::format("the time of the thermostat, {:g}, is less than five time steps "
                    "of {:g}; give at least five time steps (about a hundred are usual)",
                    time, time_step));
}

}  // namespace gsim::md
