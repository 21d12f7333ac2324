#pragma once
// Particles on their way from rank to rank, while histories run.

#include <memory>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "kernels/transport/tracking/domains.hpp"

namespace gsim::transport {

class Migration {
 public:
  explicit Migration(const Communicator& communicator);

  /// Sends `leaving` to their owners, and returns how many particles travel or wait on all ranks:
  /// those, and the `waiting` ones of each rank. 0: the batch has ended. Negative, and nothing is
  /// sent: a rank `has_failed`. Collective; until finish() ranks take part in no other collective
  /// operation.
  std::int64_t post(std::span<const SuspendedParticle> leaving, Index waiting, bool has_failed);
  /// Those that have come to this rank since post().
  std::vector<SuspendedParticle> finish();

 private:
  Communicator communicator_;
  std::vector<std::vector<std::byte>> outgoing_, incoming_;  ///< by rank
  std::unique_ptr<Messages> messages_;  // goes first: messages may be under way after an error
};

}  // namespace gsim::transport
