#pragma once
// Moves bytes between the ranks of one run. Communicator (communicator.hpp) is the typed interface
// that the rest of gsim uses; a CommBackend is what stands behind it: MPI, ranks that are threads
// of one process, or a single rank.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsim/comm/messages.hpp"

namespace gsim {

enum class ReduceOp { min, max, sum };

/// All operations but make_messages are collective: every rank calls them in the same order.
class CommBackend {
 public:
  virtual ~CommBackend() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void barrier() = 0;
  /// Rank `root`'s bytes reach all ranks; sizes agree beforehand.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  /// Integers only: floating-point sums are made in global order, not in message order.
  virtual void allreduce(std::span<std::int64_t> values, ReduceOp op) = 0;
  /// Every rank's bytes (sizes may differ, may be 0), in rank order.
  virtual std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> mine) = 0;
  /// The same, to `root` only; the others get an empty vector.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine, int root) = 0;
  /// outgoing[r] goes to rank r; the result's element r came from rank r.
  virtual std::vector<std::vector<std::byte>> exchange(
      std::vector<std::vector<std::byte>> outgoing) = 0;
  /// Sends `bytes` bytes to the next rank and receives as many from the one before, in a ring.
  /// Addresses go to the backend as they are: they may be device memory where the backend is
  /// known, or being tried, to take it (comm/device_binding.hpp).
  virtual void shift(const void* outgoing, void* incoming, std::size_t bytes) = 0;
  /// Messages between single ranks while both compute. Not collective; must not outlive the
  /// backend.
  virtual std::unique_ptr<Messages> make_messages() = 0;
  /// The lowest rank on this rank's node: equal for ranks that share memory. Collective.
  virtual int node_leader() = 0;
  /// True where the ranks should not call, all at once, a library that waits by polling, such as
  /// parallel HDF5: where a node has more ranks than processors for them, or where other programs
  /// keep the only node busy. The same on all ranks. Collective.
  virtual bool is_oversubscribed() { return false; }
  /// Pointer to the MPI_Comm behind this backend, or null: for the io layer's collective HDF5.
  virtual void* mpi_communicator() { return nullptr; }
  /// True where ranks are threads of one process and file access must take turns.
  virtual bool in_process() const { return false; }
  /// Ends all ranks at once; used by the one top-level catch.
  [[noreturn]] virtual void abort(int exit_code) = 0;
  virtual std::string describe() const = 0;
};

}  // namespace gsim
