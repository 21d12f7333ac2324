#include "faults.hpp"

#include <fmt/format.h>

#include "kernels/md/lowest_id.hpp"

namespace gsim::md {

std::string message_of(const Faults& faults) {
  std::string message;
  if (faults.runaway != no_particle)
    message = fmt::format(
        "atom {} runs away: in one step it would move by an eighth of the box or more, or its "
        "velocity is no number; take a smaller time step, or minimise the first positions",
        faults.runaway);
  if (faults.lost != no_particle)
    message += fmt::format(
        "{}atom {} has left through an open face, by more than half the box; make the box longer "
        "along its open axes, or periodic",
        message.empty() ? "" : "\n", faults.lost);
  return message;
}

}  // namespace gsim::md
