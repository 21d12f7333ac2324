// Tests of messages between device memories: contents, memory mappings and shutdown.

#include "src/comm/devices/ipc_messages.hpp"

#include <atomic>

#include <doctest/doctest.h>

#include "gsim/comm/device_binding.hpp"
#include "gsim/comm/message_buffer.hpp"
#include "gsim/core/error.hpp"
#include "invalid_messages.hpp"
#include "src/comm/devices/probe_ipc.hpp"
#include "support/exchange_ipc_messages.hpp"

using namespace gsim;
using namespace gsim::detail;

namespace {

IpcConnections& connections_of(const Communicator& comm) {
  return *control_messages_of(comm.backend())->ipc_connections;
}

/// Copies report completion without transferring data.
class IncompleteCopyPeerMemory final : public test::FakePeerMemory {
 public:
  using FakePeerMemory::FakePeerMemory;
  Copy start_copy(void*, const void*, std::size_t) override { return {}; }
};

/// Memory that cannot be shared.
class UnsharedPeerMemory final : public test::FakePeerMemory {
 public:
  using FakePeerMemory::FakePeerMemory;
  MemoryHandle handle(const ShareableMemory&) override {
    throw DeviceError("this memory cannot be shared");
  }
};

}  // namespace

TEST_CASE("IPC messages: two sets of messages at once, finished in any order") {
  for (const int ranks : {1, 2, 3, 4, 5, 8}) {
    CAPTURE(ranks);
    test::PeerMemoryCounts counts;
    std::atomic<int> errors{0};
    CHECK_NOTHROW(run_in_process(ranks, [&](Communicator comm) {
      const Executor executor = Executor::host(1);
      const auto memory = std::make_shared<test::FakePeerMemory>(counts, comm.rank());
      const IpcReport report = probe_ipc(comm, executor, memory);
      errors += report.connected != report.pairs || report.pairs != ranks * (ranks - 1) / 2;
      if (ranks == 1) return;
      {
        test::IpcMessageSets sets(comm, executor, BufferPath::ipc);
        for (int round = 0; round < 20; ++round) sets.check(round);
        // Two sets have one receive buffer each, whose previous memory may not be freed yet: at
        // most four allocations.
        for (int round = 20; round < 23; ++round) sets.check(round);
        errors += connections_of(comm).exports() > 4;
        errors += connections_of(comm).imports() > 4 * static_cast<std::size_t>(ranks);
      }
      release_buffer_path(comm);
      errors += control_messages_of(comm.backend())->ipc_connections != nullptr;
    }));
    CHECK(errors == 0);
    CHECK(counts.errors == 0);
    CHECK(counts.opens == counts.closes);
    if (ranks > 1) CHECK(counts.opens > ranks * ranks);
  }
}

TEST_CASE("IPC messages: memory is mapped once, and again only after it has grown") {
  test::PeerMemoryCounts counts;
  run_in_process(3, [&](Communicator comm) {
    const Executor executor = Executor::host(1);
    probe_ipc(comm, executor, std::make_shared<test::FakePeerMemory>(counts, comm.rank()));
    MessageBuffer out(executor, BufferPath::ipc), in(executor, BufferPath::ipc);
    const auto messages = make_messages(comm, executor, BufferPath::ipc);
    const int next = (comm.rank() + 1) % 3, previous = (comm.rank() + 2) % 3;
    const auto opens_during = [&](std::size_t bytes, int times) {
      comm.barrier();
      const int opens_before = counts.opens;
      comm.barrier();
      out.reserve(bytes);
      in.reserve(bytes);
      for (int i = 0; i < times; ++i) {
        const OutgoingMessage o{next, out.data(), bytes};
        const IncomingMessage n{previous, in.data(), bytes};
        messages->post(1, {&o, 1}, {&n, 1});
        messages->finish();
      }
      comm.barrier();
      return counts.opens - opens_before;
    };
    int errors = opens_during(5000, 10) != 3;
    errors += opens_during(4000, 10) != 0;
    errors += opens_during(50000, 10) != 3;
    errors += connections_of(comm).exports() != 1 || connections_of(comm).imports() != 1;
    if (comm.any(errors > 0)) throw Error("memory was opened too often, or kept too long");
    release_buffer_path(comm);
  });
  CHECK(counts.errors == 0);
}

TEST_CASE("IPC messages: messages between unconnected ranks are staged") {
  for (const int ranks : {2, 4, 5}) {
    test::PeerMemoryCounts counts;
    std::atomic<int> errors{0};
    run_in_process(ranks, [&](Communicator comm) {
      const Executor executor = Executor::host(1);
      // Failure in one direction is enough to disconnect a pair: rank 1 cannot open rank 0's
      // memory.
      const auto is_refused = [me = comm.rank()](int other) { return me == 1 && other == 0; };
      const IpcReport report = probe_ipc(
          comm, executor, std::make_shared<test::FakePeerMemory>(counts, comm.rank(), is_refused));
      errors += report.pairs - report.connected != 1;
      errors += report.why_not != "rank 1 cannot reach rank 0";
      if (report.connected == 0) return;
      errors += comm.rank() < 2 && connections_of(comm).reaches(1 - comm.rank());
      test::IpcMessageSets sets(comm, executor, BufferPath::ipc);
      // Ranks that are threads must finish staged messages in the same order.
      for (int round = 0; round < 8; ++round) sets.check(round, false);
      release_buffer_path(comm);
    });
    CHECK(errors == 0);
    CHECK(counts.errors == 0);
  }
}

TEST_CASE("IPC messages: a rank without a device is not connected") {
  test::PeerMemoryCounts counts;
  std::atomic<int> errors{0};
  run_in_process(3, [&](Communicator comm) {
    const Executor executor = Executor::host(1);
    std::shared_ptr<PeerMemory> memory;
    if (comm.rank() != 2) memory = std::make_shared<test::FakePeerMemory>(counts, comm.rank());
    errors += probe_ipc(comm, executor, memory).connected != 1;
    test::IpcMessageSets sets(comm, executor, BufferPath::ipc);
    for (int round = 0; round < 5; ++round) sets.check(round, false);
    release_buffer_path(comm);
  });
  CHECK(errors == 0);
  CHECK(counts.errors == 0);
}

TEST_CASE("IPC messages: the reason why no ranks are connected is reported") {
  const auto reason = [](auto make_memory, const std::string& no_memory_reason = {}) {
    test::PeerMemoryCounts counts;
    std::string why_not;
    run_in_process(2, [&](Communicator comm) {
      const auto report = probe_ipc(comm, Executor::host(1), make_memory(counts, comm.rank()),
                                    comm.rank() == 1 ? no_memory_reason : std::string());
      if (report.connected != 0 || control_messages_of(comm.backend())->ipc_connections != nullptr)
        throw Error("ranks are connected");
      if (comm.broadcast(report.why_not) != report.why_not) throw Error("ranks do not agree");
      if (comm.rank() == 0) why_not = report.why_not;
    });
    CHECK(counts.errors == 0);
    return why_not;
  };
  CHECK(reason([](auto& counts, int rank) {
          return std::make_shared<IncompleteCopyPeerMemory>(counts, rank);
        }) == "an exchange of device memory delivered wrong bytes");
  CHECK(reason([](auto& counts, int rank) {
          return std::make_shared<UnsharedPeerMemory>(counts, rank);
        }) == "this memory cannot be shared");
  const auto no_memory = [](auto&, int) { return std::shared_ptr<PeerMemory>(); };
  CHECK(reason(no_memory) == "no two ranks have GPUs on the same node");
  CHECK(reason(no_memory, "rank 1 has no stream") == "rank 1 has no stream");
}

TEST_CASE(
    "IPC messages: a failure to map memory after the ranks are connected is an error with advice") {
  test::PeerMemoryCounts counts;
  CHECK_THROWS_WITH_AS(
      run_in_process(2,
                     [&](Communicator comm) {
                       const Executor executor = Executor::host(1);
                       bool is_connected = false;
                       const auto is_refused = [&](int) { return is_connected; };
                       probe_ipc(
                           comm, executor,
                           std::make_shared<test::FakePeerMemory>(counts, comm.rank(), is_refused));
                       is_connected = true;
                       test::IpcMessageSets(comm, executor, BufferPath::ipc).check(0);
                     }),
      doctest::Contains("; set comm.ipc = \"off\""), DeviceError);
}

TEST_CASE("IPC messages: misuse that would hang or corrupt a run is an error") {
  const auto send = [](std::size_t sent, std::size_t expected, bool into_other_memory = false) {
    test::PeerMemoryCounts counts;
    run_in_process(2, [&](Communicator comm) {
      const Executor executor = Executor::host(1);
      probe_ipc(comm, executor, PeerMemory::of(executor));
      MessageBuffer buffer(executor, BufferPath::ipc);
      buffer.reserve(100);
      std::vector<std::byte> unshared(100);
      const auto messages = make_messages(comm, executor, BufferPath::ipc);
      test::send_message(*messages, comm, buffer.data(), sent,
                         into_other_memory ? unshared.data() : buffer.data(), expected);
    });
  };
  test::check_invalid_sizes([&](std::size_t sent, std::size_t expected) { send(sent, expected); });
  CHECK_THROWS_WITH_AS(send(8, 8, true), doctest::Contains("no MessageBuffer"), Error);

  const Executor executor = Executor::host(1);
  CHECK_THROWS_WITH_AS(make_messages(Communicator::self(), executor, BufferPath::ipc),
                       doctest::Contains("have not opened"), Error);
  CHECK_NOTHROW(make_messages(Communicator::self(), executor, BufferPath::staged));
}

TEST_CASE("IPC messages: simultaneous sets must differ in tag or in peers") {
  const auto two_sets = [](int second_tag, int second_peer) {
    run_in_process(3, [&](Communicator comm) {
      const Executor executor = Executor::host(1);
      probe_ipc(comm, executor, PeerMemory::of(executor));
      MessageBuffer buffer(executor, BufferPath::ipc);
      buffer.reserve(16);
      const auto first = make_messages(comm, executor, BufferPath::ipc);
      const auto second = make_messages(comm, executor, BufferPath::ipc);
      const auto post = [&](Messages& set, int tag, int peer, std::size_t offset) {
        const OutgoingMessage out{peer, buffer.data() + offset, 8};
        const IncomingMessage in{0, buffer.data() + offset, 8};
        if (comm.rank() == 0) set.post(tag, {&out, 1}, {});
        if (comm.rank() == peer) set.post(tag, {}, {&in, 1});
      };
      post(*first, 5, 1, 0);
      post(*second, second_tag, second_peer, 8);
      second->finish();
      first->finish();
      post(*second, 5, 1, 8);  // allowed after the first set has finished
      second->finish();
    });
  };
  CHECK_NOTHROW(two_sets(6, 1));
  CHECK_NOTHROW(two_sets(5, 2));
  CHECK_THROWS_WITH_AS(two_sets(5, 1), doctest::Contains("with tag 5 are active at once"),
                       CommError);
}

TEST_CASE("IPC messages: the failure of a rank ends ranks that wait for it") {
  test::check_failing_rank([](const Communicator& comm, const auto& wait) {
    const Executor executor = Executor::host(1);
    probe_ipc(comm, executor, PeerMemory::of(executor));
    MessageBuffer in(executor, BufferPath::ipc);
    in.reserve(8);
    wait(*make_messages(comm, executor, BufferPath::ipc), in.data());
  });
}
