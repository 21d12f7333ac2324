#pragma once
// The communication backend: it moves bytes between the ranks of one run. Communicator
// (communicator.hpp) is the typed interface that the rest of gsim uses. There are three backends:
// MPI, ranks that are threads of one process, and a single rank.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsim/comm/messages.hpp"

namespace gsim {

enum class ReduceOp { min, max, sum };

/// All operations except make_messages() are collective: every rank calls them in the same order.
class CommBackend {
 public:
  virtual ~CommBackend() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void barrier() = 0;
  /// Copies the bytes of rank `root` to all ranks. The sizes must agree on all ranks.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  /// Reduces element by element and returns the result on every rank. Only integers are supported:
  /// sums of floating-point numbers would depend on the order of messages.
  virtual void allreduce(std::span<std::int64_t> values, ReduceOp op) = 0;
  /// Returns the bytes of every rank, in rank order. Sizes may differ and may be 0.
  virtual std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> mine) = 0;
  /// As allgather(), but only `root` receives the result; the other ranks get an empty vector.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine, int root) = 0;
  /// All-to-all exchange: outgoing[r] is sent to rank r, and element r of the result was received
  /// from rank r.
  virtual std::vector<std::vector<std::byte>> exchange(
      std::vector<std::vector<std::byte>> outgoing) = 0;
  /// Ring shift: sends `bytes` bytes to the next rank and receives as many from the previous one.
  /// Pointers are passed on unchanged: they may point to device memory if the backend is known to
  /// accept it, or is being tested for it (comm/device_binding.hpp).
  virtual void shift(const void* outgoing, void* incoming, std::size_t bytes) = 0;
  /// Creates point-to-point messages that travel while ranks compute. Not collective. The result
  /// must not outlive the backend.
  virtual std::unique_ptr<Messages> make_messages() = 0;
  /// The lowest rank on the node of this rank. It identifies the node: ranks that share memory get
  /// the same number. Collective.
  virtual int node_leader() = 0;
  /// True if the ranks should not all call a library that waits by polling, such as parallel HDF5,
  /// at the same time: if a node has more ranks than processors for them, or if other programs keep
  /// the only node busy. The result is the same on all ranks. Collective.
  virtual bool is_oversubscribed() { return false; }
  /// Pointer to the MPI_Comm of this backend, or null. The io layer needs it for collective HDF5.
  virtual void* mpi_communicator() { return nullptr; }
  /// True if the ranks are threads of one process, so that accesses to files must be serialised.
  virtual bool in_process() const { return false; }
  /// Ends all ranks immediately. Called by the top-level exception handler.
  [[noreturn]] virtual void abort(int exit_code) = 0;
  /// "4 ranks, MPICH 4.0.2 (MPI 4.0)", "4 ranks in one process".
  virtual std::string describe() const = 0;
};

}  // namespace gsim
