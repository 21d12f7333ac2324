#include "src/modules/md/integrators/faults.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gsim/md/forces/lowest_id.hpp"

namespace gsim::md {
namespace {

/// The id of an atom in messages: that of the input, or its index plus 1.
Index id_of(std::uint64_t atom, const std::vector<Index>* given_ids) {
  if (given_ids == nullptr || given_ids->empty()) return static_cast<Index>(atom) + 1;
  return given_ids->at(static_cast<std::size_t>(atom));
}

}  // namespace

FaultRecords::FaultRecords(const Executor& executor, const std::vector<Index>* given_ids)
    : given_ids_(given_ids),
      records_(executor,
               std::vector<Faults>(Integrator::fault_memory, Faults{no_particle, no_particle})),
      read_(executor, Integrator::fault_memory * sizeof(Faults)) {}

Faults* FaultRecords::record(Index step) {
  last_ = step;
  return records_.view().data + step % records_.size();
}

void FaultRecords::clear_from(Index first) {
  std::vector<Faults> all = records_.to_host();
  for (Index step = first; step <= last_; ++step)
    all[static_cast<std::size_t>(step % records_.size())] = {no_particle, no_particle};
  records_.assign(all);
  last_ = first - 1;
}

Fault FaultRecords::first() const {
  if (last_ < 0) return {};
  return first_of(records_.to_host(), last_);
}

Fault FaultRecords::recent() {
  if (!records_.executor().is_cuda()) return first();
  Fault fault;
  if (read_.is_under_way()) {
    std::vector<Faults> all(static_cast<std::size_t>(records_.size()));
    std::memcpy(all.data(), read_.wait().data(), all.size() * sizeof(Faults));
    fault = first_of(all, last_read_);
  }
  last_read_ = last_;
  read_.start(records_.view().data);
  return fault;
}

Fault FaultRecords::first_of(std::span<const Faults> all, Index last) const {
  for (Index step = std::max<Index>(0, last + 1 - records_.size()); step <= last; ++step) {
    const std::string message = message_of(all[static_cast<std::size_t>(step % records_.size())]);
    if (!message.empty()) return {step + 1, message};
  }
  return {};
}

std::string FaultRecords::message_of(const Faults& faults) const {
  std::string message;
  if (faults.too_fast != no_particle)
    message = fmt::format(
        "atom {} moves too far: in one step it would move by an eighth of the box or more, or its "
        "velocity is not a finite number; use a smaller time step, or minimise the energy first",
        id_of(faults.too_fast, given_ids_));
  if (faults.lost != no_particle)
    message += fmt::format(
        "{}atom {} has left through an open face, by more than half the box; make the box longer "
        "along its open axes, or periodic",
        message.empty() ? "" : "\n", id_of(faults.lost, given_ids_));
  return message;
}

}  // namespace gsim::md
