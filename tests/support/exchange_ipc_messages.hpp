#pragma once
// Tests messages between MessageBuffers of all ranks against the data that each rank computes for
// the others, with a simulation of device memory of other processes.

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/message_buffer.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/peer_memory.hpp"
#include "support/collectives.hpp"

namespace gsim::test {

/// Numbers of memories opened, memories closed, and errors of use (such as memory that is opened
/// twice, never closed, or freed while open), over all ranks.
struct PeerMemoryCounts {
  std::atomic<int> opens{0}, closes{0}, errors{0};
};

/// Host memory of ranks that are threads, which simulates memory of separate processes: it must be
/// opened once and closed before it is freed, and copies take some time.
class FakePeerMemory : public PeerMemory {
 public:
  /// refuses(other): whether the memory of rank `other` cannot be opened.
  FakePeerMemory(PeerMemoryCounts& counts, int rank, std::function<bool(int)> refuses = {})
      : counts_(counts), rank_(rank), refuses_(std::move(refuses)) {}
  ~FakePeerMemory() override { counts_.errors += static_cast<int>(opened_.size()); }

  MemoryHandle handle(const ShareableMemory& memory) override {
    return {first_process + static_cast<std::uint64_t>(rank_),
            memory.number,
            reinterpret_cast<std::uintptr_t>(memory.data),
            memory.bytes,
            {}};
  }
  void* open(const MemoryHandle& handle) override {
    const auto owner = static_cast<int>(handle.process - first_process);
    if (refuses_ && refuses_(owner))
      throw DeviceError("rank " + std::to_string(rank_) + " cannot reach rank " +
                        std::to_string(owner));
    ++counts_.opens;
    auto* const address = reinterpret_cast<void*>(handle.address);  // NOLINT: of this process
    counts_.errors += !opened_.insert(address).second;
    return address;
  }
  void close(void* opened) noexcept override {
    ++counts_.closes;
    counts_.errors += opened_.erase(opened) != 1;
    counts_.errors += ShareableMemory::find(opened) == nullptr;  // freed too early
  }
  Copy start_copy(void* to, const void* from, std::size_t bytes) override {
    jobs_[next_] = {to, from, bytes, next_ % 4};
    return {next_++};
  }
  bool is_done(Copy copy) override {
    if (copy.slot < 0) return true;
    const auto job = jobs_.find(copy.slot);
    if (job == jobs_.end()) throw DeviceError("a completed copy is queried again");
    if (job->second.polls-- > 0) return false;
    std::memcpy(job->second.to, job->second.from, job->second.bytes);
    jobs_.erase(job);
    return true;
  }

 private:
  static constexpr std::uint64_t first_process = 1000;
  struct Job {
    void* to;
    const void* from;
    std::size_t bytes;
    int polls;  // number of queries that are still answered with "not done"
  };
  PeerMemoryCounts& counts_;
  int rank_;
  std::function<bool(int)> refuses_;
  std::set<void*> opened_;
  std::map<int, Job> jobs_;
  int next_ = 0;
};

/// Buffers that are used for several rounds and grow with their contents.
class IpcMessageSets {
 public:
  IpcMessageSets(const Communicator& comm, const Executor& executor, BufferPath path)
      : comm_(comm), executor_(executor), path_(path) {
    for (auto& set : sets_) set.emplace(comm, executor, path);
  }

  /// Posts two sets at once, each with two messages from every rank to every rank, itself included.
  /// Ranks finish the sets in different orders if `any_order`. Throws if received bytes differ from
  /// sent ones.
  void check(int round, bool any_order = true) {
    for (int s = 0; s < 2; ++s) post(s, round);
    const int first = any_order ? (comm_.rank() + round) % 2 : 1;
    for (const int s : {first, 1 - first}) finish(s, round);
  }

 private:
  struct Set {
    Set(const Communicator& comm, const Executor& executor, BufferPath path)
        : out(executor, path), in(executor, path), messages(make_messages(comm, executor, path)) {}
    MessageBuffer out, in;
    std::unique_ptr<Messages> messages;
  };
  /// Message k (0 or 1) of a set from rank `from` to rank `to`.
  Bytes content(int set, int round, int from, int to, int k) const {
    Bytes bytes = message(round * 4 + set * 2 + k, from, to);
    if (round % 5 == 4) bytes.resize(bytes.size() * static_cast<std::size_t>(1 + round / 5));
    return bytes;
  }
  template <class Use>  // use(rank, k)
  void for_each_message(Use use) const {
    for (int r = 0; r < comm_.size(); ++r)
      for (int k = 0; k < 2; ++k) use(r, k);
  }
  void post(int s, int round) {
    Set& set = *sets_[static_cast<std::size_t>(s)];
    const int me = comm_.rank();
    Bytes all;
    std::vector<std::size_t> sent, received;
    for_each_message([&](int r, int k) {
      const Bytes bytes = content(s, round, me, r, k);
      all.insert(all.end(), bytes.begin(), bytes.end());
      sent.push_back(bytes.size());
      received.push_back(content(s, round, r, me, k).size());
    });
    set.out.reserve(all.size());
    set.in.reserve(std::accumulate(received.begin(), received.end(), std::size_t{0}));
    if (!all.empty()) executor_.copy_from_host(set.out.data(), all.data(), all.size());
    executor_.synchronize();
    std::vector<OutgoingMessage> out;
    std::vector<IncomingMessage> in;
    const std::byte* from = set.out.data();
    std::byte* to = set.in.data();
    std::size_t i = 0;
    for_each_message([&](int r, int) {
      out.push_back({r, std::exchange(from, from + sent[i]), sent[i]});
      in.push_back({r, std::exchange(to, to + received[i]), received[i]});
      ++i;
    });
    const int tag = 7 + s;  // any two different tags
    set.messages->post(tag, out, in);
    set.messages->progress();
  }
  void finish(int s, int round) {
    Set& set = *sets_[static_cast<std::size_t>(s)];
    set.messages->finish();
    Bytes expected;
    for_each_message([&](int r, int k) {
      const Bytes bytes = content(s, round, r, comm_.rank(), k);
      expected.insert(expected.end(), bytes.begin(), bytes.end());
    });
    Bytes arrived(expected.size());
    if (!arrived.empty()) executor_.copy_to_host(arrived.data(), set.in.data(), arrived.size());
    if (arrived != expected)
      throw std::runtime_error("the received bytes of a device message differ from the sent ones");
  }

  const Communicator& comm_;
  Executor executor_;
  BufferPath path_;
  std::array<std::optional<Set>, 2> sets_;
};

}  // namespace gsim::test
