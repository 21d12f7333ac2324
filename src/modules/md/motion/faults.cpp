#include "faults.hpp"

#include <fmt/format.h>

#include "kernels/md/lowest_id.hpp"

namespace gsim::md {
namespace {

Index name_of(std::uint64_t atom, const std::vector<Index>* given_ids) {
  if (given_ids == nullptr || given_ids->empty()) return static_cast<Index>(atom) + 1;
  return given_ids->at(static_cast<std::size_t>(atom));
}

}  // namespace

std::string message_of(const Faults& faults, const std::vector<Index>* given_ids) {
  std::string message;
  if (faults.runaway != no_particle)
    message = fmt::format(
        "atom {} runs away: in one step it would move by an eighth of the box or more, or its "
        "velocity is no number; take a smaller time step, or minimise the first positions",
        name_of(faults.runaway, given_ids));
  if (faults.lost != no_particle)
    message += fmt::format(
        "{}atom {} has left through an open face, by more than half the box; make the box longer "
        "along its open axes, or periodic",
        message.empty() ? "" : "\n", name_of(faults.lost, given_ids));
  return message;
}

}  // namespace gsim::md
