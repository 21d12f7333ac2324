#pragma once
// A copy of the state of a rank's atoms in executor memory, to which a simulation can return.

#include <cstddef>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/md/particles.hpp"

namespace gsim::md {

/// Positions, images, velocities and forces of the locals.
class SavedAtoms {
 public:
  explicit SavedAtoms(const Executor& executor) : executor_(executor) {}
  /// Copies the state, in order with launches.
  void save(const Particles& particles);
  /// Copies the state back. The rows of the atoms must be those of save().
  void restore(Particles& particles) const;

 private:
  Executor executor_;
  std::vector<Array<std::byte>> columns_;
};

}  // namespace gsim::md
