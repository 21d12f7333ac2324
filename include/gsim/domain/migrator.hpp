#pragma once
// Migration: moves particles with all their columns to the ranks that own them; and gathers columns
// in the global order of ids, for files.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/message_buffer.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/domain/replicated.hpp"

namespace gsim {

namespace detail {
struct Leavers;  // rows of particles that leave this rank
class RowsOutside;
}  // namespace detail

class Migrator {
 public:
  Migrator(Communicator communicator, Executor executor, BufferPath path);
  ~Migrator();
  Migrator(Migrator&&) noexcept;

  /// Sends every local outside this rank's brick to its owner, over any distance (so it can also
  /// follow new cuts or a restart). Collective. Ghosts are removed. Arrivals, in the order of the
  /// senders' ranks and of their rows there, fill the rows of particles that left and are then
  /// appended; if fewer arrive than left, the last remaining particles fill the other gaps. All
  /// others keep their rows. Returns the number of particles that left this rank.
  Index migrate(ParticleStore& store, const Decomposition& decomposition);
  /// As above for a replicated domain: locals belong to the ranks whose ranges contain their ids,
  /// independent of position, so that particles move only if ranges change. Error on all ranks for
  /// an id outside all ranges.
  Index migrate(ParticleStore& store, const ReplicatedDecomposition& decomposition);

 private:
  /// Exchanges the particles that leave their ranks; returns the number that left this rank.
  Index send(ParticleStore& store, detail::Leavers leavers);
  Communicator communicator_;
  std::unique_ptr<detail::RowsOutside> outside_;  // on a device
  MessageBuffer outgoing_, incoming_;
  std::unique_ptr<Messages> messages_;  // destroyed first: messages may be active after an error
};

/// Gathers the locals' rows of `column` in the order of ids: row i of the result is that of id
/// `mine`.first + i, where `mine` = partition({0, total}, ranks, rank). Ids must be 0 to total - 1,
/// each once over all ranks. Collective; the result is in host memory with row_bytes per row. For
/// writing; reading does the reverse: rows of `mine` become locals, followed by Migrator::migrate.
/// NumericalError on all ranks if an id is missing, duplicated or out of range.
std::vector<std::byte> rows_by_id(const Communicator& communicator, const ParticleStore& store,
                                  ColumnId column, Index total);

}  // namespace gsim
