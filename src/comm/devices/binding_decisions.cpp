#include "src/comm/devices/binding_decisions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gsim/exec/transfer_buffers.hpp"

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

  const auto counted = [](int n, const char* thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
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

int share_threads(int mine, int local_ranks, int on_node) {
  if (local_ranks <= 1 || mine <= 1) return std::max(1, mine);
  const bool can_be_disjoint = static_cast<long>(mine) * local_ranks <= on_node;
  return can_be_disjoint ? mine : std::max(1, mine / local_ranks);
}

namespace {

/// The reason why MPI is not passed device memory; empty if it is. Collective.
std::string why_not_direct(const Communicator& communicator, const PathProbes& facts,
                           GpuAware requested) {
  if (requested == GpuAware::off) return "comm.gpu_aware is off";
  const bool all_say_yes = communicator.min(facts.claims_gpu_awareness ? 1 : 0) == 1;
  if (requested == GpuAware::automatic && !all_say_yes) return "MPI is not GPU-aware";
  const bool arrived = facts.ring_exchange();
  if (communicator.min(arrived ? 1 : 0) == 1) return {};
  if (requested == GpuAware::on)
    throw CommError(
        "comm.gpu_aware is on, but a ring exchange of device memory delivered wrong bytes; this "
        "MPI library is not GPU-aware: set it to \"auto\" or \"off\"");
  return "MPI claims to be GPU-aware, but a ring exchange failed";
}

}  // namespace

BufferPathReport decide_path(const Communicator& communicator, const PathProbes& facts,
                             GpuAware requested, CudaIpc ipc) {
  if (!communicator.any(facts.on_device)) return {BufferPath::host, "no rank uses a GPU"};
  if (communicator.size() == 1) return {BufferPath::staged, "one rank sends no messages"};
  const std::string not_direct = why_not_direct(communicator, facts, requested);
  if (not_direct.empty()) return {BufferPath::direct_mpi, "verified by a ring exchange"};
  if (ipc == CudaIpc::off) return {BufferPath::staged, not_direct + "; comm.ipc is off"};
  const IpcReport ipc_report = facts.link();
  if (ipc_report.connected == 0 && ipc == CudaIpc::on)
    throw CommError("comm.ipc is on, but " + ipc_report.why_not +
                    "; set it to \"auto\" or \"off\", or start several ranks a node");
  if (ipc_report.connected == 0)
    return {BufferPath::staged, not_direct + "; " + ipc_report.why_not};
  const std::string which = ipc_report.connected == ipc_report.pairs
                                ? "all pairs of ranks"
                                : std::to_string(ipc_report.connected) + " of " +
                                      std::to_string(ipc_report.pairs) +
                                      " pairs of ranks, others staged";
  return {BufferPath::ipc, which + ", verified by an exchange; " + not_direct};
}

std::vector<std::uint32_t> test_pattern(std::uint32_t salt, std::size_t count) {
  std::vector<std::uint32_t> pattern(count);
  for (std::size_t i = 0; i < count; ++i)
    pattern[i] = static_cast<std::uint32_t>(i) * 2654435761u + salt;
  return pattern;
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
  const int before = (communicator.rank() + communicator.size() - 1) % communicator.size();
  return arrived == pattern(before);
}

}  // namespace gsim::detail
