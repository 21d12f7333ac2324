#pragma once
// Checks every collective operation of a Communicator against a slow reference, on any backend:
// each rank computes what all ranks send, and from it what it must receive.

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"

namespace gsim::test {

using Bytes = std::vector<std::byte>;

/// The data that rank `from` sends to rank `to` (-1: to all ranks) in round `round`, 0 to 70 kB.
inline Bytes message(int round, int from, int to) {
  std::mt19937 random(static_cast<unsigned>(round * 10007 + from * 101 + to));
  const std::size_t sizes[] = {0, 1, 7, 64, 1000, 70000};
  Bytes bytes(sizes[random() % 6]);
  for (auto& b : bytes) b = static_cast<std::byte>(random() & 255);
  return bytes;
}

/// Element i of the array that a rank contributes to a reduction in round `round`.
inline std::int64_t number(int round, int rank, std::size_t i) {
  std::mt19937_64 random(static_cast<unsigned>(round * 10007 + rank) + i * 7919);
  return static_cast<std::int64_t>(random() >> 8) - (std::int64_t{1} << 54);
}

inline std::int64_t combine(ReduceOp op, std::int64_t a, std::int64_t b) {
  return op == ReduceOp::min ? std::min(a, b) : op == ReduceOp::max ? std::max(a, b) : a + b;
}

/// Number of reductions whose result differs from the reference.
inline int wrong_reductions(const Communicator& comm, int round) {
  int mismatches = 0;
  for (const ReduceOp op : {ReduceOp::min, ReduceOp::max, ReduceOp::sum}) {
    std::vector<std::int64_t> values, expected;
    for (std::size_t i = 0; i < static_cast<std::size_t>(round % 4); ++i) {
      std::int64_t all = number(round, 0, i);
      for (int r = 1; r < comm.size(); ++r) all = combine(op, all, number(round, r, i));
      expected.push_back(all);
      values.push_back(number(round, comm.rank(), i));
    }
    comm.backend().allreduce(values, op);
    mismatches += values != expected;
  }
  return mismatches;
}

/// Runs each collective operation once; throws std::runtime_error if a result differs from the
/// reference.
inline void check_collectives(const Communicator& comm, int round) {
  const int n = comm.size(), me = comm.rank(), root = round % n;
  std::vector<Bytes> messages_to_all, outgoing, incoming;
  for (int r = 0; r < n; ++r) {
    messages_to_all.push_back(message(round, r, -1));
    outgoing.push_back(message(round, me, r));
    incoming.push_back(message(round, r, me));
  }
  const Bytes& mine = messages_to_all[static_cast<std::size_t>(me)];
  const Bytes& message_of_root = messages_to_all[static_cast<std::size_t>(root)];
  CommBackend& backend = comm.backend();

  int mismatches = wrong_reductions(comm, round);
  mismatches += backend.allgather(mine) != messages_to_all;
  mismatches += backend.gather(mine, root) != (me == root ? messages_to_all : std::vector<Bytes>{});
  mismatches += backend.exchange(outgoing) != incoming;

  Bytes buffer = me == root ? message_of_root : Bytes(message_of_root.size());
  backend.broadcast(buffer, root);
  mismatches += buffer != message_of_root;

  const Bytes sent(1000, static_cast<std::byte>(me));
  Bytes arrived(1000);
  backend.shift(sent.data(), arrived.data(), arrived.size());
  mismatches += arrived != Bytes(1000, static_cast<std::byte>((me + n - 1) % n));
  backend.barrier();
  if (mismatches != 0)
    throw std::runtime_error("round " + std::to_string(round) +
                             " of the collective operations is wrong on rank " +
                             std::to_string(me));
}

}  // namespace gsim::test
