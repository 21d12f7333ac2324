#include "src/comm/devices/binding_decisions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gsim/exec/transfer_buffers.hpp"
#include "src/comm/mpi/memory_probe.hpp"

namespace gsim::detail {

int choose_device(int local_rank, int visible) { return local_rank % visible; }

BindingReport summarize(const std::vector<RankDevice>& ranks) {
  BindingReport report;
  report.ranks = static_cast<int>(ranks.size());
  std::set<int> nodes;
  std::set<std::pair<int, std::string>> devices;
  std::map<std::string, int> count_by_name;
  int on_device = 0;
  for (const RankDevice& rank : ranks) {
    nodes.insert(rank.node_leader);
    report.device_uuids.push_back(rank.uuid);
    if (rank.uuid.empty()) continue;
    ++on_device;
    if (devices.emplace(rank.node_leader, rank.uuid).second)
      ++count_by_name[rank.name];
    else
      report.shared = true;
  }
  report.nodes = static_cast<int>(nodes.size());

  const auto counted = [](int n, const char* noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
  };
  report.summary = counted(report.ranks, "rank") + " on " + counted(report.nodes, "node") + " · ";
  std::string devices_text;
  for (const auto& [name, count] : count_by_name)
    devices_text += (devices_text.empty() ? "" : ", ") + std::to_string(count) + " × " + name;
  if (report.shared) devices_text += " shared by " + counted(on_device, "rank");
  if (const int on_host = report.ranks - on_device; on_device == 0)
    devices_text = "cpu";
  else if (on_host > 0)
    devices_text += ", " + counted(on_host, "rank") + " on cpu";
  report.summary += devices_text;
  return report;
}

int share_threads(int usable, int local_ranks, int on_node) {
  if (local_ranks <= 1 || usable <= 1) return std::max(1, usable);
  const bool can_be_disjoint = static_cast<long>(usable) * local_ranks <= on_node;
  return can_be_disjoint ? usable : std::max(1, usable / local_ranks);
}

namespace {

/// The reason why MPI is not passed device memory; empty if it is. Collective.
std::string why_not_direct(const Communicator& communicator, const PathProbes& probes,
                           GpuAware requested) {
  if (requested == GpuAware::off) return "comm.gpu_aware is off";
  const bool all_claim_support = communicator.min(probes.claims_gpu_awareness ? 1 : 0) == 1;
  if (requested == GpuAware::automatic && !all_claim_support) return "MPI is not GPU-aware";
  // Tested first, because a library that is not GPU-aware may end the process in the exchange.
  if (communicator.min(probes.mpi_can_read() ? 1 : 0) == 0) {
    if (requested == GpuAware::on)
      throw CommError(
          "comm.gpu_aware is on, but MPI cannot read device memory; this MPI library is not "
          "GPU-aware: set it to \"auto\" or \"off\"");
    return "MPI claims to be GPU-aware, but cannot read device memory";
  }
  const bool is_correct = probes.ring_exchange();
  if (communicator.min(is_correct ? 1 : 0) == 1) return {};
  if (requested == GpuAware::on)
    throw CommError(
        "comm.gpu_aware is on, but a ring exchange of device memory delivered wrong bytes; this "
        "MPI library is not GPU-aware: set it to \"auto\" or \"off\"");
  return "MPI claims to be GPU-aware, but a ring exchange failed";
}

}  // namespace

BufferPathReport decide_path(const Communicator& communicator, const PathProbes& probes,
                             GpuAware requested, CudaIpc ipc) {
  if (!communicator.any(probes.on_device)) return {BufferPath::host, "no rank uses a GPU"};
  if (communicator.size() == 1) return {BufferPath::staged, "one rank sends no messages"};
  const std::string reason = why_not_direct(communicator, probes, requested);
  if (reason.empty()) return {BufferPath::direct_mpi, "verified by a ring exchange"};
  if (ipc == CudaIpc::off) return {BufferPath::staged, reason + "; comm.ipc is off"};
  const IpcReport ipc_report = probes.link();
  if (ipc_report.connected == 0 && ipc == CudaIpc::on)
    throw CommError("comm.ipc is on, but " + ipc_report.why_not +
                    "; set it to \"auto\" or \"off\", or start several ranks per node");
  if (ipc_report.connected == 0) return {BufferPath::staged, reason + "; " + ipc_report.why_not};
  const std::string connected_text = ipc_report.connected == ipc_report.pairs
                                         ? "all pairs of ranks"
                                         : std::to_string(ipc_report.connected) + " of " +
                                               std::to_string(ipc_report.pairs) +
                                               " pairs of ranks, others staged";
  return {BufferPath::ipc, connected_text + ", verified by an exchange; " + reason};
}

std::vector<std::uint32_t> test_pattern(std::uint32_t seed, std::size_t count) {
  constexpr std::uint32_t knuth_multiplier =
      2654435761u;  // multiplicative hashing (Knuth, TAOCP 3)
  std::vector<std::uint32_t> pattern(count);
  for (std::size_t i = 0; i < count; ++i)
    pattern[i] = static_cast<std::uint32_t>(i) * knuth_multiplier + seed;
  return pattern;
}

bool mpi_can_read_memory(const Communicator& communicator, const Executor& executor) {
  constexpr std::size_t bytes = 4096;
  std::optional<ShareableBuffer> memory;
  communicator.agree([&] {
    memory.emplace(executor, bytes);
    executor.fill_zero(memory->data(), bytes);
    executor.synchronize();
  });
  return communicator.backend().mpi_communicator() == nullptr ||
         mpi_can_read(memory->data(), bytes);
}

bool ring_exchange_works(const Communicator& communicator, const Executor& executor) {
  constexpr std::size_t count =
      1 << 16;  // above the eager limit of MPI libraries, so that the rendezvous protocol is tested
  const auto pattern = [](int rank) {
    return test_pattern(static_cast<std::uint32_t>(rank), count);
  };
  constexpr std::size_t bytes = count * sizeof(std::uint32_t);
  std::optional<ShareableBuffer> outgoing, incoming;
  communicator.agree([&] {  // so that no rank waits for one whose allocation failed
    outgoing.emplace(executor, bytes);
    incoming.emplace(executor, bytes);
    executor.copy_from_host(outgoing->data(), pattern(communicator.rank()).data(), bytes);
    executor.fill_zero(incoming->data(), bytes);
    executor.synchronize();
  });
  communicator.backend().shift(outgoing->data(), incoming->data(), bytes);
  std::vector<std::uint32_t> arrived(count);
  executor.copy_to_host(arrived.data(), incoming->data(), bytes);
  const int predecessor = (communicator.rank() + communicator.size() - 1) % communicator.size();
  return arrived == pattern(predecessor);
}

}  // namespace gsim::detail
