#pragma once
// What goes wrong with single atoms: noted by kernels, said to people.

#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/md/integrators/integrate.hpp"
#include "src/modules/md/integrators/motion.hpp"

namespace gsim::md {

/// Words for kernels to note the lowest id of what went wrong in, apart for each of the last steps:
/// the first fault is told whenever somebody looks.
class FaultNotes {
 public:
  /// `given_ids`: as MotionSetup says.
  FaultNotes(const Executor& executor, const std::vector<Index>* given_ids);

  /// For the kernels of the step that begins after `step` steps.
  Faults* of(Index step);
  /// As Motion::fault().
  Fault first() const;

 private:
  std::string message_of(const Faults& faults) const;
  const std::vector<Index>* given_ids_;
  Array<Faults> words_;  // of step s: number s modulo the size
  Index last_ = -1;      // step that of() was asked for
};

}  // namespace gsim::md
