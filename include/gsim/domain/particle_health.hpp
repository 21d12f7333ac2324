#pragma once
// Whether particles still have values that can be computed with: for Module::health(), and for
// checks at which all ranks throw the same message.

#include <span>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"

namespace gsim {

/// What is checked of particles, and what messages say of it.
struct ParticleCheck {
  /// Columns of doubles or floats whose values must be finite; none: all such columns.
  std::span<const ColumnId> columns = {};
  /// Along open axes of the box: whether particles may be outside of its faces, within half a box
  /// vector of them. Farther out they are lost in any case (domain/box.hpp); along periodic axes
  /// no position is outside.
  bool may_leave_box = true;
  Index step = -1;  ///< of which the values are; below 0: it is not said
};

/// What is wrong with this rank's locals, or empty: the particle of the lowest id that is outside
/// the box or has a value that is not finite, with its id, place, step, column and value, and how
/// many there are. One pass over the columns on the store's executor, which is waited for. What a
/// module returns from health(). InputError for a column that holds integers.
std::string particle_health(const ParticleStore& store, const Box& box,
                            const ParticleCheck& check = {});

/// The same of all ranks' particles: NumericalError on all ranks, which names the particle of the
/// lowest id of all; the message is the same on any number of ranks. Collective.
void check_particles(const Communicator& communicator, const ParticleStore& store, const Box& box,
                     const ParticleCheck& check = {});

/// Digest of columns of all ranks' particles in the order of ids; the same on every rank, and for
/// any number of ranks. Ids must be 0 to total - 1 (NumericalError as rows_by_id). Collective.
std::uint64_t particle_digest(const Communicator& communicator, const ParticleStore& store,
                              std::span<const ColumnId> columns, Index total);

}  // namespace gsim
