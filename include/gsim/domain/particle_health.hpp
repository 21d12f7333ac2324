#pragma once
// Checks for particles with invalid values: for Module::health(), and for checks at which all ranks
// throw the same message.

#include <span>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"

namespace gsim {

/// What is checked, and how messages describe it.
struct ParticleCheck {
  /// Columns of doubles or floats whose values must be finite; empty: all such columns.
  std::span<const ColumnId> columns = {};
  /// Whether particles may be outside the box along open axes, within half a box vector of its
  /// faces. Farther out they are lost in any case (domain/box.hpp); along periodic axes every
  /// position is inside.
  bool may_leave_box = true;
  Index step = -1;  ///< the step of the values, for messages; negative: not mentioned
};

/// Describes invalid locals of this rank: the particle with the lowest id that is outside the box
/// or has a value that is not finite, with id, place, step, column and value, and the number of
/// such particles; empty if there are none. One pass over the columns on the executor of the store,
/// which is synchronised. The result is what a module returns from health(). InputError for a
/// column of integers.
std::string particle_health(const ParticleStore& store, const Box& box,
                            const ParticleCheck& check = {});

/// As above for the particles of all ranks: throws NumericalError on all ranks, which names the
/// particle with the lowest id of all; the message does not depend on the number of ranks.
/// Collective.
void check_particles(const Communicator& communicator, const ParticleStore& store, const Box& box,
                     const ParticleCheck& check = {});

/// Digest of columns of all particles in the order of ids; the same on every rank and for any
/// number of ranks. Ids must be 0 to total - 1 (NumericalError as rows_by_id). Collective.
std::uint64_t particle_digest(const Communicator& communicator, const ParticleStore& store,
                              std::span<const ColumnId> columns, Index total);

}  // namespace gsim
