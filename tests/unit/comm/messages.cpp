// Tests of point-to-point messages: contents, order and errors.

#include "gsim/comm/messages.hpp"

#include <array>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/error.hpp"
#include "invalid_messages.hpp"
#include "support/exchange_messages.hpp"

using namespace gsim;

TEST_CASE("messages between all pairs of ranks, in two sets at once") {
  for (int ranks : {1, 2, 3, 5, 8})
    CHECK_NOTHROW(run_in_process(ranks, [](Communicator comm) {
      for (int round = 0; round < 10; ++round) test::check_messages(comm, round);
    }));
  CHECK_NOTHROW(test::check_messages(Communicator::self(), 3));
}

TEST_CASE("messages: misuse that would hang or corrupt a run is an error") {
  const auto send = [](std::size_t sent, std::size_t expected) {
    run_in_process(2, [&](Communicator comm) {
      std::vector<char> data(16);
      const auto messages = comm.backend().make_messages();
      test::send_message(*messages, comm, data.data(), sent, data.data(), expected);
    });
  };
  test::check_invalid_sizes(send);

  char byte = 0;
  const OutgoingMessage to_missing_rank{1, &byte, 1}, to_self{0, &byte, 1};
  const auto messages = Communicator::self().backend().make_messages();
  CHECK_THROWS_AS(messages->post(0, {&to_missing_rank, 1}, {}), CommError);
  CHECK_THROWS_AS(messages->post(-1, {}, {}), CommError);
  CHECK_THROWS_AS(messages->post(0, {&to_self, 1}, {}), CommError);
  messages->post(0, {}, {});
  CHECK_THROWS_AS(messages->post(0, {}, {}), CommError);
  CHECK_NOTHROW(messages->finish());
}

TEST_CASE("messages: the failure of a rank ends ranks that wait for it") {
  test::check_failing_rank([](const Communicator& comm, const auto& wait) {
    std::array<char, 8> bytes{};
    const OutgoingMessage out{0, bytes.data(), 1};
    wait(*comm.backend().make_messages(), bytes.data(), {&out, 1});
  });
}
