#pragma once
// Errors of single atoms, recorded by kernels and turned into messages.

#include <span>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/exec/delayed_read.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

/// Records in which kernels store the lowest id of an atom with an error, one for each of the last
/// steps, so that the first fault is found although the records are not read at every step.
class FaultRecords {
 public:
  /// `given_ids`: IntegratorSetup::given_ids.
  FaultRecords(const Executor& executor, const std::vector<Index>* given_ids);

  /// The record for the kernels of the step that begins after `step` steps.
  Faults* record(Index step);
  /// Clears the records of the steps from `first` on.
  void clear_from(Index first);
  /// See Integrator::fault().
  Fault first() const;
  /// See Integrator::recent_fault().
  Fault recent();

 private:
  /// The first fault of the steps up to `last` in the records `all`.
  Fault first_of(std::span<const Faults> all, Index last) const;
  std::string message_of(const Faults& faults) const;
  const std::vector<Index>* given_ids_;
  Array<Faults> records_;  // of step s: element s modulo the size
  Index last_ = -1;        // the last argument of record()
  DelayedRead read_;       // of the records
  Index last_read_ = -1;   // last_ when the read was started
};

}  // namespace gsim::md
