#include "gsim/comm/device_binding.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <unistd.h>

#include "gsim/comm/mpi_session.hpp"
#include "src/comm/devices/binding_decisions.hpp"
#include "src/comm/devices/ipc_connections.hpp"

namespace gsim {
namespace {

/// Number of processors of this node that the job may use: as set by Slurm, else all that are
/// online.
int processors_on_node() {
  if (const char* text = std::getenv("SLURM_CPUS_ON_NODE")) {
    int value = 0;
    std::from_chars(text, text + std::strlen(text), value);
    if (value > 0) return value;
  }
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

std::vector<std::string> allgather_text(const Communicator& communicator, const std::string& mine) {
  const auto raw = communicator.backend().allgather(std::as_bytes(std::span(mine)));
  std::vector<std::string> all;
  all.reserve(raw.size());
  for (const auto& part : raw)
    all.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
  return all;
}

std::string device_name(const Executor& executor) {
  for (const CudaDevice& device : cuda_devices())
    if (device.ordinal == executor.device_ordinal()) return device.name;
  return "GPU";
}

/// The device of the local rank or, if that cannot be used, the next one that can; empty if none
/// can.
std::optional<Executor> first_usable_device(const std::vector<CudaDevice>& devices, int local_rank,
                                            int threads) {
  const auto count = static_cast<int>(devices.size());
  for (int n = 0; n < count; ++n) {
    const int chosen = detail::choose_device(local_rank + n, count);
    try {
      return Executor::cuda(devices[static_cast<std::size_t>(chosen)].ordinal, threads);
    } catch (const DeviceError&) {
      // The next device is tried; a rank that shares its device with others is reported.
    }
  }
  return std::nullopt;
}

}  // namespace

Executor bind_executor(DeviceChoice choice, int local_rank, int threads) {
  if (choice == DeviceChoice::cpu) return Executor::host(threads);
  const auto devices = cuda_devices();
  if (!devices.empty()) {
    if (const auto executor = first_usable_device(devices, local_rank, threads)) return *executor;
    if (choice == DeviceChoice::cuda) {
      const int chosen = detail::choose_device(local_rank, static_cast<int>(devices.size()));
      return Executor::cuda(devices[static_cast<std::size_t>(chosen)].ordinal, threads);
    }
    return Executor::host(threads);
  }
  if (choice == DeviceChoice::cuda)
    throw DeviceError(
        "device = \"cuda\", but " + no_cuda_reason() +
        "; use device = \"auto\" or \"cpu\", or start where `nvidia-smi` lists a GPU");
  return Executor::host(threads);
}

std::string why_no_device() {
  if (cuda_devices().empty()) return no_cuda_reason();
  std::string reasons;
  for (const CudaDevice& device : cuda_devices()) {
    try {
      Executor::cuda(device.ordinal, 1);
      return {};
    } catch (const DeviceError& e) {
      reasons += (reasons.empty() ? "" : "; ") + std::string(e.what());
    }
  }
  return reasons;
}

Executor bind_executor(DeviceChoice choice, const LaunchEnvironment& launch, int threads) {
  if (threads == 0)
    threads = detail::share_threads(available_threads(), launch.local_ranks, processors_on_node());
  return bind_executor(choice, launch.local_rank, threads);
}

BindingReport report_binding(const Communicator& communicator, const Executor& executor) {
  const std::string uuid = executor.device_uuid();
  const int leader = communicator.backend().node_leader();
  const auto leaders = communicator.allgather(std::span<const int>(&leader, 1));
  const auto uuids = allgather_text(communicator, uuid);
  const auto names =
      allgather_text(communicator, executor.is_cuda() ? device_name(executor) : std::string());
  std::vector<detail::RankDevice> ranks;
  for (std::size_t r = 0; r < leaders.size(); ++r)
    ranks.push_back({leaders[r], uuids[r], names[r]});
  return detail::summarize(ranks);
}

const char* to_string(BufferPath path) {
  switch (path) {
    case BufferPath::direct_mpi:
      return "direct MPI";
    case BufferPath::staged:
      return "staged";
    case BufferPath::ipc:
      return "CUDA IPC";
    case BufferPath::host:
      break;
  }
  return "host";
}

BufferPathReport probe_buffer_path(const Communicator& communicator, const Executor& executor,
                                   GpuAware requested, CudaIpc ipc) {
  const bool uses_mpi = communicator.backend().mpi_communicator() != nullptr;
  detail::PathProbes probes;
  probes.on_device = executor.is_cuda();
  probes.claims_gpu_awareness = uses_mpi && MpiSession::claims_gpu_awareness();
  probes.mpi_can_read = [&] { return detail::mpi_can_read_memory(communicator, executor); };
  probes.ring_exchange = [&] { return detail::ring_exchange_works(communicator, executor); };
  probes.link = [&] {
    std::shared_ptr<PeerMemory> memory;
    std::string no_memory_reason;
    try {
      if (executor.is_cuda()) memory = PeerMemory::of(executor);
    } catch (
        const DeviceError& e) {  // not fatal: other ranks are waiting, and messages can be staged
      no_memory_reason = e.what();
    }
    return detail::probe_ipc(communicator, executor, std::move(memory),
                             std::move(no_memory_reason));
  };
  return detail::decide_path(communicator, probes, uses_mpi ? requested : GpuAware::automatic, ipc);
}

void release_buffer_path(const Communicator& communicator) {
  detail::ControlMessages* const control = detail::control_messages_of(communicator.backend());
  if (control == nullptr || control->ipc_connections == nullptr)
    return;  // every rank returns here, or none
  const auto connections = std::move(control->ipc_connections);
  connections->close_all(communicator);
}

}  // namespace gsim
