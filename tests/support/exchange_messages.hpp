#pragma once
// Tests point-to-point messages between all ranks, on any backend. The content of a message is a
// function of round, sender and receiver, so that the receiver can compute what must arrive.

#include <stdexcept>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "support/collectives.hpp"

namespace gsim::test {

/// Posts two sets of messages at once and finishes them in reverse order. In each set every rank
/// sends two messages to every rank, itself included.
inline void check_messages(const Communicator& comm, int round) {
  struct Set {
    std::vector<Bytes> sent, arrived;
    std::vector<OutgoingMessage> outgoing;
    std::vector<IncomingMessage> incoming;
    std::unique_ptr<Messages> messages;
  } sets[2];
  const int me = comm.rank(), n = comm.size();
  // message k (0 or 1) of a set from rank `from` to rank `to`
  const auto content = [&](int set, int from, int to, int k) {
    return message(round * 4 + set * 2 + k, from, to);
  };
  for (int s = 0; s < 2; ++s) {
    Set& set = sets[s];
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 2; ++k) {
        set.sent.push_back(content(s, me, r, k));
        set.arrived.emplace_back(content(s, r, me, k).size());
      }
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 2; ++k) {
        const auto i = static_cast<std::size_t>(2 * r + k);
        set.outgoing.push_back({r, set.sent[i].data(), set.sent[i].size()});
        set.incoming.push_back({r, set.arrived[i].data(), set.arrived[i].size()});
      }
    set.messages = comm.backend().make_messages();
    const int tag = 7 + s;  // any two different tags
    set.messages->post(tag, set.outgoing, set.incoming);
    set.messages->progress();
  }
  for (int s : {1, 0}) {
    sets[s].messages->finish();
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 2; ++k)
        if (sets[s].arrived[static_cast<std::size_t>(2 * r + k)] != content(s, r, me, k))
          throw std::runtime_error("the received bytes of a message differ from the sent ones");
  }
}

}  // namespace gsim::test
