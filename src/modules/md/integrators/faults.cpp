#include "src/modules/md/integrators/faults.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/md/forces/lowest_id.hpp"

namespace gsim::md {
namespace {

Index name_of(std::uint64_t atom, const std::vector<Index>* given_ids) {
  if (given_ids == nullptr || given_ids->empty()) return static_cast<Index>(atom) + 1;
  return given_ids->at(static_cast<std::size_t>(atom));
}

}  // namespace

FaultNotes::FaultNotes(const Executor& executor, const std::vector<Index>* given_ids)
    : given_ids_(given_ids),
      words_(executor,
             std::vector<Faults>(Motion::fault_memory, Faults{no_particle, no_particle})) {}

Faults* FaultNotes::of(Index step) {
  last_ = step;
  return words_.view().data + step % words_.size();
}

Fault FaultNotes::first() const {
  if (last_ < 0) return {};
  const std::vector<Faults> all = words_.to_host();
  for (Index step = std::max<Index>(0, last_ + 1 - words_.size()); step <= last_; ++step) {
    const std::string message = message_of(all[static_cast<std::size_t>(step % words_.size())]);
    if (!message.empty()) return {step + 1, message};
  }
  return {};
}

std::string FaultNotes::message_of(const Faults& faults) const {
  std::string message;
  if (faults.runaway != no_particle)
    message = fmt::format(
        "atom {} runs away: in one step it would move by an eighth of the box or more, or its "
        "velocity is no number; take a smaller time step, or minimise the first positions",
        name_of(faults.runaway, given_ids_));
  if (faults.lost != no_particle)
    message += fmt::format(
        "{}atom {} has left through an open face, by more than half the box; make the box longer "
        "along its open axes, or periodic",
        message.empty() ? "" : "\n", name_of(faults.lost, given_ids_));
  return message;
}

}  // namespace gsim::md
