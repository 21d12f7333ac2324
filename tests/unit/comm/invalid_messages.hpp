#pragma once
// Tests of invalid messages and of failing ranks, for any kind of Messages.

#include <cstddef>
#include <span>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/messages.hpp"
#include "gsim/core/error.hpp"

namespace gsim::test {

/// Rank 0 sends `sent` bytes from `out` to rank 1, which expects `expected` bytes at `in`.
inline void send_message(Messages& messages, const Communicator& comm, const void* out,
                         std::size_t sent, void* in, std::size_t expected) {
  const OutgoingMessage outgoing{1, out, sent};
  const IncomingMessage incoming{0, in, expected};
  if (comm.rank() == 0)
    messages.post(0, {&outgoing, 1}, {});
  else
    messages.post(0, {}, {&incoming, 1});
  messages.finish();
}

/// Checks that different sizes of sent and expected messages are errors. `send(sent, expected)`
/// must run send_message() between two ranks.
template <class Send>
void check_invalid_sizes(const Send& send) {
  CHECK_NOTHROW(send(8, 8));
  CHECK_THROWS_WITH_AS(send(8, 9), doctest::Contains("9 are expected"), CommError);
  CHECK_THROWS_WITH_AS(send(0, 8), doctest::Contains("returned while another waits"), CommError);
  CHECK_THROWS_WITH_AS(send(8, 0), doctest::Contains("returned while another waits"), CommError);
}

/// Checks that the error of rank 0 is thrown while ranks 1 and 2 wait for 8 bytes from it. On each
/// of the three ranks `body(comm, wait)` makes its Messages and calls wait(messages, memory) or
/// wait(messages, memory, outgoing messages).
template <class Body>
void check_failing_rank(const Body& body) {
  const auto wait = [](const Communicator& comm) {
    return [&comm](Messages& messages, void* memory, std::span<const OutgoingMessage> out = {}) {
      if (comm.rank() == 0) throw InputError("rank 0 failed");
      const IncomingMessage in{0, memory, 8};
      messages.post(0, out, {&in, 1});
      messages.finish();
    };
  };
  CHECK_THROWS_WITH_AS(run_in_process(3, [&](Communicator comm) { body(comm, wait(comm)); }),
                       "rank 0 failed", InputError);
}

}  // namespace gsim::test
