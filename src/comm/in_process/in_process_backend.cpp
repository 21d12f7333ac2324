#include "src/comm/in_process/in_process_backend.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "src/comm/check_arguments.hpp"

namespace gsim {
namespace detail {

// ---- InProcessGroup

void InProcessGroup::barrier() { barrier(false); }
void InProcessGroup::matching_barrier() { barrier(true); }

void InProcessGroup::barrier(bool compare_operations) {
  std::unique_lock lock(mutex_);
  if (failure_) throw RankUnwound{};
  if (++waiting_ == size()) {
    waiting_ = 0;
    ++barriers_passed_;
    if (compare_operations)
      if (const std::string what = disagreement(); !what.empty())
        fail_locked(std::make_exception_ptr(CommError(what)));
    changed_.notify_all();
  } else if (returned_ranks_ > 0) {
    fail_locked(
        std::make_exception_ptr(CommError("internal error: a rank returned while others wait for "
                                          "it in a collective; please report it")));
  } else {
    changed_.wait(lock,
                  [&, now = barriers_passed_] { return barriers_passed_ != now || failure_; });
  }
  if (failure_) throw RankUnwound{};
}

std::string InProcessGroup::disagreement() const {
  for (const Slot& slot : slots_)
    if (slot.operation != slots_[0].operation)
      return "internal error: ranks are in different collectives (rank 0: " + slots_[0].operation +
             "; rank " + std::to_string(&slot - slots_.data()) + ": " + slot.operation +
             "); please report it";
  return {};
}

void InProcessGroup::fail(std::exception_ptr failure) noexcept {
  const std::lock_guard lock(mutex_);
  fail_locked(std::move(failure));
}

void InProcessGroup::fail_locked(std::exception_ptr failure) noexcept {
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

void InProcessGroup::leave(int rank) noexcept {
  const std::lock_guard lock(mutex_);
  ++returned_ranks_;
  has_returned_[static_cast<std::size_t>(rank)] = true;
  changed_.notify_all();  // ranks that wait for a message from this rank
  if (waiting_ > 0)
    fail_locked(
        std::make_exception_ptr(CommError("internal error: a rank returned while others wait for "
                                          "it in a collective; please report it")));
}

std::exception_ptr InProcessGroup::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

// ---- InProcessBackend

template <class Read>
void InProcessBackend::collective(std::string operation, const void* data, std::size_t count,
                                  Read read) {
  const WaitScope waiting;
  group_->slot(rank_) = {std::move(operation), data, count};
  group_->matching_barrier();
  std::exception_ptr failure;
  try {
    read();
  } catch (...) {  // out of memory; other ranks may still be reading the data of this rank
    failure = std::current_exception();
  }
  group_->barrier();
  if (failure) std::rethrow_exception(failure);
}

std::vector<std::byte> InProcessBackend::bytes_of(int rank) const {
  const auto& slot = group_->slot(rank);
  const auto* const first = static_cast<const std::byte*>(slot.data);
  return slot.count == 0 ? std::vector<std::byte>{}
                         : std::vector<std::byte>(first, first + slot.count);
}

void InProcessBackend::barrier() {
  collective("barrier", nullptr, 0, [] {});
}

void InProcessBackend::broadcast(std::span<std::byte> bytes, int root) {
  check_root(root, size());
  collective("broadcast of " + std::to_string(bytes.size()) + " bytes from " + std::to_string(root),
             bytes.data(), bytes.size(), [&] {
               if (rank_ != root && !bytes.empty())
                 std::memcpy(bytes.data(), group_->slot(root).data, bytes.size());
             });
}

void InProcessBackend::allreduce(std::span<std::int64_t> values, ReduceOp op) {
  const std::vector<std::int64_t> mine(values.begin(), values.end());
  const auto combine = [op](std::int64_t a, std::int64_t b) {
    switch (op) {
      case ReduceOp::min:
        return std::min(a, b);
      case ReduceOp::max:
        return std::max(a, b);
      case ReduceOp::sum:
        break;
    }
    // unsigned: wraps on overflow as MPI_SUM does, without undefined behaviour
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  collective(
      "allreduce " + std::to_string(static_cast<int>(op)) + " of " + std::to_string(values.size()),
      mine.data(), mine.size(), [&] {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const auto value_on = [&](int r) {
            return static_cast<const std::int64_t*>(group_->slot(r).data)[i];
          };
          values[i] = value_on(0);
          for (int r = 1; r < size(); ++r) values[i] = combine(values[i], value_on(r));
        }
      });
}

std::vector<std::vector<std::byte>> InProcessBackend::allgather(std::span<const std::byte> mine) {
  std::vector<std::vector<std::byte>> all;
  collective("allgather", mine.data(), mine.size(), [&] {
    for (int r = 0; r < size(); ++r) all.push_back(bytes_of(r));
  });
  return all;
}

std::vector<std::vector<std::byte>> InProcessBackend::gather(std::span<const std::byte> mine,
                                                             int root) {
  check_root(root, size());
  std::vector<std::vector<std::byte>> all;
  collective("gather to " + std::to_string(root), mine.data(), mine.size(), [&] {
    if (rank_ != root) return;
    for (int r = 0; r < size(); ++r) all.push_back(bytes_of(r));
  });
  return all;
}

std::vector<std::vector<std::byte>> InProcessBackend::exchange(
    std::vector<std::vector<std::byte>> outgoing) {
  check_exchange(outgoing.size(), size());
  std::vector<std::vector<std::byte>> arrived;
  collective("exchange", &outgoing, 0, [&] {
    for (int r = 0; r < size(); ++r) {
      const auto* const their_parts =
          static_cast<const std::vector<std::vector<std::byte>>*>(group_->slot(r).data);
      arrived.push_back((*their_parts)[static_cast<std::size_t>(rank_)]);
    }
  });
  return arrived;
}

void InProcessBackend::shift(const void* outgoing, void* incoming, std::size_t bytes) {
  collective("shift of " + std::to_string(bytes) + " bytes", outgoing, bytes, [&] {
    const auto& predecessor = group_->slot((rank_ + size() - 1) % size());
    if (bytes > 0) std::memcpy(incoming, predecessor.data, bytes);
  });
}

void InProcessBackend::abort(int exit_code) {
  group_->fail(std::make_exception_ptr(CommError("rank " + std::to_string(rank_) +
                                                 " ended the run with exit code " +
                                                 std::to_string(exit_code))));
  throw RankUnwound{};
}

std::string InProcessBackend::describe() const {
  return std::to_string(size()) + " ranks in one process";
}

}  // namespace detail

void run_in_process(int ranks, const std::function<void(Communicator)>& body) {
  GSIM_VALIDATE(ranks >= 1, "a run of " + std::to_string(ranks) + " ranks is not possible",
                "choose 1 or more");
  const auto group = std::make_shared<detail::InProcessGroup>(ranks);
  const auto run_rank = [&](int rank) {
    try {
      body(Communicator(std::make_shared<detail::InProcessBackend>(group, rank)));
    } catch (const detail::RankUnwound&) {
      // the group holds the error of the rank that failed
    } catch (...) {
      group->fail(std::current_exception());
    }
    group->leave(rank);
  };
  std::vector<std::thread> threads;
  try {
    for (int r = 1; r < ranks; ++r) threads.emplace_back(run_rank, r);
    run_rank(0);
  } catch (...) {  // a thread could not be started
    group->fail(std::current_exception());
  }
  for (auto& thread : threads) thread.join();
  if (const auto failure = group->failure()) std::rethrow_exception(failure);
}

}  // namespace gsim
