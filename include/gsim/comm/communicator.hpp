#pragma once
// The ranks of one run: a cheap handle on a communication backend (comm/comm_backend.hpp), with
// typed collective operations. Every member function is collective unless stated otherwise.

#include <concepts>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gsim/comm/comm_backend.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/exact_sum.hpp"
#include "gsim/core/ordered_real.hpp"
#include "gsim/core/superaccumulator.hpp"
#include "gsim/core/types.hpp"

namespace gsim {

class Communicator {
 public:
  explicit Communicator(std::shared_ptr<CommBackend> backend) : backend_(std::move(backend)) {}
  /// A communicator of a single rank, without a launcher.
  static Communicator self();
  /// A communicator of all ranks that the launcher started. Needs a live MpiSession
  /// (comm/mpi_session.hpp).
  static Communicator world();

  int rank() const { return backend_->rank(); }
  int size() const { return backend_->size(); }
  bool is_root() const { return rank() == 0; }
  CommBackend& backend() const { return *backend_; }

  void barrier() const { backend_->barrier(); }
  template <std::integral T>
  std::int64_t min(T v) const {
    return reduce(static_cast<std::int64_t>(v), ReduceOp::min);
  }
  template <std::integral T>
  std::int64_t max(T v) const {
    return reduce(static_cast<std::int64_t>(v), ReduceOp::max);
  }
  /// Minimum and maximum over the ranks of one float or double each, returned on every rank; NaN if
  /// any value is NaN. -0 is less than +0.
  template <std::floating_point T>
  T min(T v) const {
    static_assert(sizeof(T) <= sizeof(double), "a long double is not allowed in gsim's results");
    return static_cast<T>(minimum_of_key(reduce(key_of_minimum(v), ReduceOp::min)));
  }
  template <std::floating_point T>
  T max(T v) const {
    static_assert(sizeof(T) <= sizeof(double), "a long double is not allowed in gsim's results");
    return static_cast<T>(maximum_of_key(reduce(key_of_maximum(v), ReduceOp::min)));
  }
  std::int64_t sum(std::int64_t v) const { return reduce(v, ReduceOp::sum); }
  /// Sums over all ranks, element by element and exactly, returned on every rank.
  void sum(std::span<ExactSum> sums) const;
  void sum(std::span<Superaccumulator> sums) const;
  void sum(Superaccumulator& one) const { sum(std::span<Superaccumulator>(&one, 1)); }
  /// True on all ranks if `flag` is true on any.
  bool any(bool flag) const { return max(flag ? 1 : 0) != 0; }

  /// Copies the value of rank `root` to every rank and returns it.
  template <class T>
  T broadcast(T value, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    backend_->broadcast(std::as_writable_bytes(std::span<T, 1>(&value, 1)), root);
    return value;
  }
  std::string broadcast(std::string text, int root = 0) const;

  /// Concatenates the elements of all ranks in rank order and returns them on every rank.
  template <class T>
  std::vector<T> allgather(std::span<const T> mine) const {
    return concatenate<T>(backend_->allgather(std::as_bytes(mine)));
  }
  /// As allgather(), but only `root` receives the result; it is empty on the other ranks.
  template <class T>
  std::vector<T> gather(std::span<const T> mine, int root = 0) const {
    return concatenate<T>(backend_->gather(std::as_bytes(mine), root));
  }
  /// All-to-all exchange: outgoing[r] is sent to rank r, and result[r] was received from rank r.
  /// Bytes that a rank sends to itself are moved, not copied.
  std::vector<std::vector<std::byte>> exchange(std::vector<std::vector<std::byte>> outgoing) const {
    return backend_->exchange(std::move(outgoing));
  }
  template <class T>
  std::vector<std::vector<T>> exchange(const std::vector<std::vector<T>>& outgoing) const {
    std::vector<std::vector<std::byte>> raw(outgoing.size());
    for (std::size_t r = 0; r < outgoing.size(); ++r) {
      const auto bytes = std::as_bytes(std::span<const T>(outgoing[r]));
      raw[r].assign(bytes.begin(), bytes.end());
    }
    std::vector<std::vector<T>> result;
    for (const auto& part : backend_->exchange(std::move(raw)))
      result.push_back(from_bytes<T>(part));
    return result;
  }

  /// Runs `body` on every rank, then lets all ranks agree on the outcome: if it throws on any rank,
  /// every rank throws the error of the lowest such rank (with the exit code of its type), so that
  /// no rank waits for one that has failed.
  void agree(const std::function<void()>& body) const;

 private:
  std::int64_t reduce(std::int64_t v, ReduceOp op) const {
    backend_->allreduce(std::span<std::int64_t>(&v, 1), op);
    return v;
  }
  template <class T>
  static std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> v(bytes.size() / sizeof(T));
    if (!v.empty()) std::memcpy(v.data(), bytes.data(), v.size() * sizeof(T));
    return v;
  }
  template <class T>
  static std::vector<T> concatenate(const std::vector<std::vector<std::byte>>& parts) {
    std::vector<T> all;
    for (const auto& part : parts) {
      const auto v = from_bytes<T>(part);
      all.insert(all.end(), v.begin(), v.end());
    }
    return all;
  }
  std::shared_ptr<CommBackend> backend_;
};

/// Runs `body` on `ranks` ranks that are threads of this process, without a launcher; meant for
/// tests of computations on several ranks. The first exception ends all ranks and is rethrown.
void run_in_process(int ranks, const std::function<void(Communicator)>& body);

}  // namespace gsim
