#include "gsim/comm/device_binding.hpp"

#include <atomic>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/comm/devices/binding_decisions.hpp"

using namespace gsim;
using namespace gsim::detail;

TEST_CASE("the device ordinal is the local rank modulo the number of visible devices") {
  // --gpus-per-node=4, all visible to all
  CHECK(choose_device(0, 4) == 0);
  CHECK(choose_device(3, 4) == 3);
  CHECK(choose_device(5, 4) == 1);
  // --gpus-per-task=1: each rank sees only its own device, as device 0
  CHECK(choose_device(3, 1) == 0);
}

TEST_CASE("the binding report counts nodes and devices, and detects shared devices by UUID") {
  // Of each rank: number of its node, UUID and name of its device.
  const auto own = summarize({{0, "GPU-a", "NVIDIA H200"},
                              {0, "GPU-b", "NVIDIA H200"},
                              {2, "GPU-c", "NVIDIA H200"},
                              {2, "GPU-d", "NVIDIA H200"}});
  CHECK(own.nodes == 2);
  CHECK(own.ranks == 4);
  CHECK(!own.shared);
  CHECK(own.summary == "4 ranks on 2 nodes · 4 × NVIDIA H200");
  CHECK(own.device_uuids[2] == "GPU-c");

  const auto shared = summarize({{0, "GPU-a", "NVIDIA H200"}, {0, "GPU-a", "NVIDIA H200"}});
  CHECK(shared.shared);
  CHECK(shared.summary == "2 ranks on 1 node · 1 × NVIDIA H200 shared by 2 ranks");

  const auto mixed = summarize({{0, "GPU-a", "A"}, {0, "GPU-b", "B"}, {0, "", ""}});
  CHECK(!mixed.shared);
  CHECK(mixed.summary == "3 ranks on 1 node · 1 × A, 1 × B, 1 rank on cpu");

  const auto host = summarize({{0, "", ""}});
  CHECK(!host.shared);
  CHECK(host.summary == "1 rank on 1 node · cpu");
}

TEST_CASE("unbound ranks divide the threads of a node, bound ranks use their own") {
  // Processors that a rank may use, ranks of the node, processors of the node.
  CHECK(share_threads(64, 4, 64) == 16);  // mpiexec without binding
  CHECK(share_threads(16, 4, 64) == 16);  // each rank has processors of its own
  CHECK(share_threads(8, 4, 8) == 2);     // 4 ranks share an affinity mask of 8 processors
  CHECK(share_threads(2, 8, 2) == 1);
  CHECK(share_threads(2, 0, 2) == 2);  // started without mpiexec
  CHECK(share_threads(3, 2, 3) == 1);
}

TEST_CASE("the binding report is the same on every rank") {
  std::vector<std::string> summaries(3);
  run_in_process(3, [&](Communicator comm) {
    const auto report = report_binding(comm, Executor::host(1));
    summaries[static_cast<std::size_t>(comm.rank())] = report.summary;
  });
  for (const auto& summary : summaries) CHECK(summary == "3 ranks on 1 node · cpu");
}

namespace {

/// Results of the probes on one rank.
struct SimulatedRank {
  bool on_device;            // it has a GPU
  bool mpi_claims_support;   // MPI reports that it accepts device memory
  bool ring_exchange_works;  // an exchange of device memory arrives unchanged
  bool mpi_can_read = true;  // MPI reads device memory without a segmentation fault
};

/// The path that ranks with these probes agree on; REQUIREs that it is the same on all ranks.
BufferPathReport decide(const std::vector<SimulatedRank>& ranks, GpuAware requested,
                        int* exchanges = nullptr, CudaIpc ipc = CudaIpc::automatic,
                        const IpcReport& links = {}) {
  std::vector<BufferPathReport> reports(ranks.size());
  std::atomic<int> exchange_count{0};
  run_in_process(static_cast<int>(ranks.size()), [&](Communicator comm) {
    const auto r = static_cast<std::size_t>(comm.rank());
    const PathProbes probes{ranks[r].on_device, ranks[r].mpi_claims_support,
                            [&] { return ranks[r].mpi_can_read; },
                            [&] {
                              ++exchange_count;
                              return ranks[r].ring_exchange_works;
                            },
                            [&] { return links; }};
    reports[r] = decide_path(comm, probes, requested, ipc);
  });
  for (const auto& report : reports) {
    REQUIRE(report.path == reports[0].path);
    REQUIRE(report.reason == reports[0].reason);
  }
  if (exchanges) *exchanges = exchange_count;
  return reports[0];
}

}  // namespace

TEST_CASE("all ranks agree on the buffer path, and GPU awareness is verified") {
  const SimulatedRank host{false, true, true}, gpu_aware{true, true, true},
      not_aware{true, false, true}, false_claim{true, true, false};
  int exchange_count = 0;
  CHECK(decide({host, host}, GpuAware::automatic).path == BufferPath::host);
  CHECK(decide({gpu_aware}, GpuAware::automatic).path == BufferPath::staged);
  CHECK(decide({gpu_aware, gpu_aware, gpu_aware}, GpuAware::automatic).path ==
        BufferPath::direct_mpi);

  // If MPI reports no support on one rank, all ranks stage messages in host memory without a test.
  CHECK(decide({gpu_aware, not_aware, gpu_aware}, GpuAware::automatic, &exchange_count).path ==
        BufferPath::staged);
  CHECK(exchange_count == 0);
  CHECK(decide({gpu_aware, gpu_aware}, GpuAware::off, &exchange_count).path == BufferPath::staged);
  CHECK(exchange_count == 0);

  // If the exchange fails on one rank although MPI reports support, all ranks stage.
  CHECK(decide({gpu_aware, gpu_aware, false_claim}, GpuAware::automatic, &exchange_count).path ==
        BufferPath::staged);
  CHECK(exchange_count == 3);

  CHECK(decide({not_aware, not_aware}, GpuAware::on).path == BufferPath::direct_mpi);
  CHECK_THROWS_AS(decide({gpu_aware, false_claim}, GpuAware::on), CommError);

  // The exchange, which might crash, is not tried if MPI cannot read device memory on some rank.
  const SimulatedRank unreadable{true, true, true, false};
  exchange_count = 0;
  CHECK(decide({gpu_aware, unreadable}, GpuAware::automatic, &exchange_count)
            .reason.starts_with("MPI claims to be GPU-aware, but cannot read device memory"));
  CHECK_THROWS_WITH_AS(decide({gpu_aware, unreadable}, GpuAware::on, &exchange_count),
                       doctest::Contains("MPI cannot read device memory"), CommError);
  CHECK(exchange_count == 0);
}

TEST_CASE("device memory is exchanged by IPC if MPI does not accept it") {
  const SimulatedRank not_aware{true, false, true}, gpu_aware{true, true, true},
      false_claim{true, true, false};
  // Connected pairs of ranks, all pairs, and why a pair is not connected.
  const IpcReport all_pairs{3, 3, ""}, some_pairs{1, 3, "GPUs 0 and 2 cannot reach each other"},
      no_pairs{0, 3, "no two ranks have GPUs on the same node"};
  const auto decide_with = [&](const std::vector<SimulatedRank>& ranks, GpuAware requested,
                               CudaIpc ipc, const IpcReport& links) {
    return decide(ranks, requested, nullptr, ipc, links);
  };
  const auto ipc = decide_with({not_aware, not_aware, not_aware}, GpuAware::automatic,
                               CudaIpc::automatic, all_pairs);
  CHECK(ipc.path == BufferPath::ipc);
  CHECK(ipc.reason == "all pairs of ranks, verified by an exchange; MPI is not GPU-aware");
  CHECK(
      decide_with({gpu_aware, gpu_aware, false_claim}, GpuAware::automatic, CudaIpc::automatic,
                  some_pairs)
          .reason ==
      "1 of 3 pairs of ranks, others staged, verified by an exchange; MPI claims to be GPU-aware, "
      "but a ring exchange failed");
  CHECK(decide_with({gpu_aware, gpu_aware}, GpuAware::off, CudaIpc::on, all_pairs).path ==
        BufferPath::ipc);
  CHECK(decide_with({gpu_aware, gpu_aware}, GpuAware::automatic, CudaIpc::on, all_pairs).path ==
        BufferPath::direct_mpi);

  const auto staged =
      decide_with({not_aware, not_aware}, GpuAware::automatic, CudaIpc::automatic, no_pairs);
  CHECK(staged.path == BufferPath::staged);
  CHECK(staged.reason == "MPI is not GPU-aware; no two ranks have GPUs on the same node");
  CHECK(decide_with({not_aware, not_aware}, GpuAware::off, CudaIpc::off, all_pairs).path ==
        BufferPath::staged);
  CHECK_THROWS_WITH_AS(decide_with({not_aware, not_aware}, GpuAware::off, CudaIpc::on, no_pairs),
                       doctest::Contains("comm.ipc is on, but no two ranks"), CommError);
}

TEST_CASE("the ring exchange works if messages arrive unchanged") {
  for (int ranks : {1, 2, 5}) {
    std::atomic<int> correct_ranks{0};
    run_in_process(ranks, [&](Communicator comm) {
      correct_ranks += ring_exchange_works(comm, Executor::host(1)) ? 1 : 0;
    });
    CHECK(correct_ranks == ranks);
  }
}

TEST_CASE("ranks without a GPU exchange messages from host memory") {
  run_in_process(2, [](Communicator comm) {
    const auto report = probe_buffer_path(comm, Executor::host(1), GpuAware::automatic);
    if (report.path != BufferPath::host) throw Error("wrong path: " + report.reason);
  });
}

TEST_CASE("only the automatic device choice falls back to the host") {
  CHECK(!bind_executor(DeviceChoice::cpu, 3, 2).is_cuda());
  CHECK(bind_executor(DeviceChoice::cpu, 0, 2).threads() == 2);
  if (cuda_devices().empty()) {
    CHECK(!bind_executor(DeviceChoice::automatic, 0, 1).is_cuda());
    std::string message;
    try {
      bind_executor(DeviceChoice::cuda, 0, 1);
    } catch (const DeviceError& e) {
      message = e.what();
    }
    CHECK(message.find(no_cuda_reason()) != std::string::npos);
    LaunchEnvironment launch;
    launch.local_ranks = 1000000;
    CHECK(bind_executor(DeviceChoice::automatic, launch, 0).threads() == 1);
    CHECK(bind_executor(DeviceChoice::automatic, launch, 3).threads() == 3);
  } else {
    MESSAGE("SKIP: a GPU is found, so that nothing falls back to the host");
  }
}
