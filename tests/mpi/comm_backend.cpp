#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <mpi.h>
#include <sys/mman.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/device_binding.hpp"
#include "gsim/comm/message_buffer.hpp"
#include "gsim/comm/mpi_session.hpp"
#include "src/comm/devices/ipc_connections.hpp"
#include "src/comm/mpi/memory_probe.hpp"
#include "src/comm/mpi/mpi_backend.hpp"
#include "support/collectives.hpp"
#include "support/connect_ipc.hpp"
#include "support/exchange_ipc_messages.hpp"
#include "support/exchange_messages.hpp"

using namespace gsim;

TEST_CASE("every collective operation agrees with the reference through MPI") {
  const Communicator world = Communicator::world();
  for (int round = 0; round < 4; ++round) CHECK_NOTHROW(test::check_collectives(world, round));
  CHECK(world.backend().mpi_communicator() != nullptr);
  CHECK(!world.backend().in_process());
}

TEST_CASE("messages longer than MPI counts are split into pieces") {
  // The same code as for messages above 2 GiB, with pieces of 30 000 bytes. There are few pieces
  // because a message between four polling ranks on two cores takes milliseconds.
  const Communicator split(std::make_shared<detail::MpiBackend>(MPI_COMM_WORLD, 30000));
  for (int round = 0; round < 2; ++round) CHECK_NOTHROW(test::check_collectives(split, round));
  std::vector<std::int64_t> values(10000, split.rank() + 1);
  split.backend().allreduce(values, ReduceOp::sum);
  const std::int64_t expected = split.size() * (split.size() + 1) / 2;
  CHECK(values == std::vector<std::int64_t>(10000, expected));
}

TEST_CASE("point-to-point messages through MPI, also split into pieces") {
  const Communicator split(std::make_shared<detail::MpiBackend>(MPI_COMM_WORLD, 30000));
  for (int round = 0; round < 2; ++round) {
    CHECK_NOTHROW(test::check_messages(Communicator::world(), round));
    CHECK_NOTHROW(test::check_messages(split, round));
  }
}

TEST_CASE("the launch environment agrees with MPI_COMM_WORLD") {
  const Communicator world = Communicator::world();
  const LaunchEnvironment launch = launch_environment();
  if (launch.expected_ranks > 0) {
    CHECK(launch.expected_ranks == world.size());
    CHECK(launch.rank == world.rank());
  } else {
    CHECK(world.size() == 1);
  }
  CHECK(MpiSession::library_version().find("(MPI ") != std::string::npos);
}

TEST_CASE("an error on one rank is thrown on all ranks") {
  const Communicator world = Communicator::world();
  const int last = world.size() - 1;
  CHECK_THROWS_WITH_AS(world.agree([&] {
    if (world.rank() == last) throw InputError("error on the last rank");
  }),
                       "error on the last rank", InputError);
  CHECK(world.sum(1) == world.size());
}

TEST_CASE("device binding is reported identically on every rank") {
  const Communicator world = Communicator::world();
  const Executor host = Executor::host(1);
  const auto report = report_binding(world, host);
  CHECK(report.ranks == world.size());
  CHECK(report.nodes >= 1);
  CHECK(report.nodes <= world.size());
  CHECK(world.broadcast(report.summary) == report.summary);
  if (const char* nodes =
          std::getenv("GSIM_TEST_NODES"))  // set if the nodes of the launcher are known
    CHECK(std::to_string(report.nodes) == nodes);
  CHECK(probe_buffer_path(world, host, GpuAware::automatic).path == BufferPath::host);
}

TEST_CASE("memory that MPI cannot read is recognised without a crash") {
  constexpr int bytes = 8192;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  CHECK(detail::mpi_can_read(memory, bytes));
  mprotect(memory, bytes, PROT_NONE);  // as device memory is for the host
  CHECK_FALSE(detail::mpi_can_read(memory, bytes));
  CHECK_FALSE(detail::mpi_can_read(memory, bytes));  // again: the signal is not blocked
  munmap(memory, bytes);
}

TEST_CASE("collective operations check arguments before sending messages") {
  const Communicator world = Communicator::world();
  CHECK_THROWS_AS(world.broadcast(1, world.size()), CommError);
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(world.size()) + 1);
  CHECK_THROWS_AS(world.backend().exchange(parts), CommError);
}

TEST_CASE("IPC messages are copied between processes") {
  const Communicator world = Communicator::world();
  if (world.size() == 1) return;
  const Executor host = Executor::host(1);
  const auto report = detail::probe_ipc(world, host, PeerMemory::of(host));
  CHECK(report.connected == report.pairs);
  auto& connections = *detail::control_messages_of(world.backend())->ipc_connections;
  {
    test::IpcMessageSets sets(world, host, BufferPath::ipc);
    for (int round = 0; round < 12; ++round) CHECK_NOTHROW(sets.check(round));
    CHECK(connections.imports() >= static_cast<std::size_t>(world.size()));
    CHECK(connections.exports() <= 4);  // two buffers of each of two sets
  }
  release_buffer_path(world);
  CHECK_THROWS_AS(make_messages(world, host, BufferPath::ipc), Error);

  test::connect_ipc(world);  // the ranks can be connected again
  test::IpcMessageSets sets(world, host, BufferPath::ipc);
  CHECK_NOTHROW(sets.check(3));
  release_buffer_path(world);
}

TEST_CASE("IPC messages between unconnected ranks are sent through MPI") {
  const Communicator world = Communicator::world();
  if (world.size() < 4) return;
  const Executor host = Executor::host(1);
  // Ranks 0 and 1 take part; the others have no shareable memory.
  const auto report =
      detail::probe_ipc(world, host, world.rank() < 2 ? PeerMemory::of(host) : nullptr);
  CHECK(report.connected == 1);
  CHECK(report.why_not == "no two ranks have GPUs on the same node");
  test::IpcMessageSets sets(world, host, BufferPath::ipc);
  for (int round = 0; round < 6; ++round) CHECK_NOTHROW(sets.check(round));
  release_buffer_path(world);
}
