#pragma once
// Migration of particles between ranks, overlapped with the transport of histories.

#include <memory>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "kernels/transport/tracking/domains.hpp"

namespace gsim::transport {

class Migration {
 public:
  explicit Migration(const Communicator& communicator);

  /// Starts to send the particles `leaving` to the ranks that own their positions. `waiting`:
  /// number of particles that are still to be transported on this rank. Returns the number of
  /// particles that all ranks send or have waiting; 0: the batch has ended. If `has_failed` is set
  /// on any rank, returns a negative number and sends nothing. Collective; no other collective
  /// operation is allowed until finish().
  std::int64_t post(std::span<const SuspendedParticle> leaving, Index waiting, bool has_failed);
  /// Waits for the particles that were sent to this rank by post(), and returns them.
  std::vector<SuspendedParticle> finish();

 private:
  Communicator communicator_;
  std::vector<std::vector<std::byte>> outgoing_, incoming_;  ///< by rank
  std::unique_ptr<Messages> messages_;  // destroyed first: messages may be pending after an error
};

}  // namespace gsim::transport
