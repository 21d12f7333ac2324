#pragma once
// Assignment of GPUs to ranks, and how messages in device memory are sent.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/mpi_session.hpp"
#include "gsim/exec/executor.hpp"

namespace gsim {

/// `device = "auto" | "cpu" | "cuda"` in the configuration or on the command line.
enum class DeviceChoice { automatic, cpu, cuda };

/// Chooses the executor of this rank from its local rank: device ordinal = local rank modulo number
/// of visible devices, or the next device if that one cannot be used. Must be called before MPI is
/// initialised. `threads` 0 means all threads that this process may use. `cuda` without a usable
/// device is a DeviceError; `automatic` then uses the host.
Executor bind_executor(DeviceChoice choice, int local_rank, int threads);
/// As above; `threads` 0 means an equal share of the node's processors if the launcher reports the
/// number of ranks on the node and does not bind them to processors of their own.
Executor bind_executor(DeviceChoice choice, const LaunchEnvironment& launch, int threads);

/// Why this process can use no CUDA device: none is visible, or the error of each that is; empty if
/// one can be used.
std::string why_no_device();

/// The devices of all ranks; the same on every rank.
struct BindingReport {
  int nodes = 1;
  int ranks = 1;
  std::vector<std::string> device_uuids;  ///< by rank; empty for a rank on the host
  bool shared = false;                    ///< two ranks of one node use the same GPU (by UUID)
  std::string summary;                    ///< "4 ranks on 1 node · 4 × NVIDIA H200"
};
/// Collective.
BindingReport report_binding(const Communicator& communicator, const Executor& executor);

/// How messages in device memory are sent to other ranks. `host`: there is no device memory.
/// `direct_mpi`: MPI accepts pointers to device memory. `staged`: messages are copied through
/// pinned host memory (exec/transfer_buffers.hpp). `ipc`: ranks of one node write into each other's
/// device memory (CUDA IPC, exec/peer_memory.hpp), and messages to other nodes are staged.
enum class BufferPath { host, direct_mpi, staged, ipc };

/// "host", "direct MPI", "staged", "CUDA IPC".
const char* to_string(BufferPath path);

/// `comm.gpu_aware` in the configuration. `automatic` queries the MPI library and verifies a
/// positive answer by a ring exchange of a device buffer; `on` verifies without the query; `off`
/// never passes device memory to MPI.
enum class GpuAware { automatic, on, off };

/// `comm.ipc` in the configuration. `automatic` uses CUDA IPC if MPI does not accept device buffers
/// and an exchange verifies that IPC works; `on` makes it an error if it does not; `off` disables
/// it.
enum class CudaIpc { automatic, on, off };

/// The chosen path and the reason for it, the same on every rank.
struct BufferPathReport {
  BufferPath path = BufferPath::host;
  std::string reason;  ///< "MPI is not GPU-aware", "verified by a ring exchange", …
};
/// Determines how messages in device memory are sent; collective, with the same result on all
/// ranks. CommError if `on` was requested and MPI cannot read device memory or the exchange
/// delivers wrong bytes.
BufferPathReport probe_buffer_path(const Communicator& communicator, const Executor& executor,
                                   GpuAware requested, CudaIpc ipc = CudaIpc::automatic);

/// Closes what probe_buffer_path() opened: every rank closes its mappings of other ranks' device
/// memory and then frees its own shared memory. Collective, at the end of a run, with no messages
/// active; afterwards no messages can be sent from device memory. After an error it may be omitted:
/// the memory then stays allocated until the process ends.
void release_buffer_path(const Communicator& communicator);

}  // namespace gsim
