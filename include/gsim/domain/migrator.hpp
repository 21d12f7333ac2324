#pragma once
// Moves particles, with all their columns, to the ranks that own them, and their data into the
// global order of ids, in which files hold them.

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
struct Leavers;
}

class Migrator {
 public:
  Migrator(Communicator communicator, Executor executor, BufferPath path);

  /// Sends every local outside this rank's brick to its owner, however far (so it also follows new
  /// cuts, or a restart). Collective. Ghosts go. Those that stay keep their order but for some of
  /// the last ones, which fill gaps; arrivals follow the order of their senders' ranks and of their
  /// rows there. Returns how many left this rank.
  Index migrate(ParticleStore& store, const Decomposition& decomposition);
  /// The same where the domain is replicated: locals belong to the ranks whose ranges hold their
  /// ids, wherever they are, so that nothing moves but to follow new ranges. Error on all ranks for
  /// an id that is none of the items.
  Index migrate(ParticleStore& store, const ReplicatedDecomposition& decomposition);

 private:
  Index send(ParticleStore& store, detail::Leavers leavers);
  void place(ParticleStore& store, std::span<const std::int32_t> left, Index arrived,
             std::span<const ColumnId> columns);
  Communicator communicator_;
  MessageBuffer outgoing_, incoming_;
  std::unique_ptr<Messages> messages_;  // goes first: messages may be under way after an error
};

/// The locals' rows of `column` in the order of ids: row i of the result is that of id
/// `mine`.first + i, where `mine` = partition({0, total}, ranks, rank); ids must be 0 to total - 1,
/// each once over all ranks. Collective; the result is in host memory, row_bytes a row. For
/// writing; the way back is: rows of `mine` as locals, then Migrator::migrate. NumericalError on
/// all ranks when an id is missing, doubled or out of range.
std::vector<std::byte> rows_by_id(const Communicator& communicator, const ParticleStore& store,
                                  ColumnId column, Index total);

}  // namespace gsim
