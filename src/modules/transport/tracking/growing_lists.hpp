#pragma once
// Host memory of lists that kernels append to.

#include <algorithm>
#include <span>
#include <vector>

#include "gsim/exec/thread_pool.hpp"
#include "kernels/transport/tracking/particle.hpp"

namespace gsim::transport {

/// Several lists, each used by one thread at a time. Their memory is kept between uses.
template <class T>
class GrowingLists {
 public:
  GrowingLists() = default;
  GrowingLists(const GrowingLists&) = delete;
  GrowingLists& operator=(const GrowingLists&) = delete;

  /// Clears the lists and returns a pointer to the first of `count` lists.
  GrowingList<T>* cleared(std::size_t count) {
    lists_.resize(count);
    memory_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      lists_[i] = {memory_[i].data(), static_cast<Index>(memory_[i].size()), 0, grow, this};
    return lists_.data();
  }
  /// Appends the items of all lists to `to`, one list after the other.
  void append_to(std::vector<T>& to, ThreadPool& pool) const { put_into(to, to.size(), pool); }
  /// Truncates `to` to its first `kept` items, then appends the items of all lists. (Unlike clear()
  /// and append_to(), this does not initialise the items again on one thread.)
  void put_into(std::vector<T>& to, std::size_t kept, ThreadPool& pool) const {
    std::vector<std::size_t> first;
    std::size_t end = kept;
    for (const GrowingList<T>& list : lists_) {
      first.push_back(end);
      end += static_cast<std::size_t>(list.count);
    }
    to.resize(end);
    pool.for_each(static_cast<Index>(lists_.size()), [&](Index i, int) {
      const auto n = static_cast<std::size_t>(i);
      std::copy_n(lists_[n].items, lists_[n].count, to.data() + first[n]);
    });
  }
  /// Calls order(items) with each list, as a std::span.
  template <class Order>
  void in_each(ThreadPool& pool, Order&& order) {
    pool.for_each(static_cast<Index>(lists_.size()), [&](Index i, int) {
      GrowingList<T>& list = lists_[static_cast<std::size_t>(i)];
      order(std::span<T>(list.items, static_cast<std::size_t>(list.count)));
    });
  }
  /// Allocated memory, bytes.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& memory : memory_) sum += memory.size() * sizeof(T);
    return sum;
  }

 private:
  static void grow(void* owner, GrowingList<T>& list) {
    auto& self = *static_cast<GrowingLists*>(owner);
    auto& memory = self.memory_[static_cast<std::size_t>(&list - self.lists_.data())];
    memory.resize(memory.size() + memory.size() / 2 + 16);
    list.items = memory.data();
    list.capacity = static_cast<Index>(memory.size());
  }

  std::vector<GrowingList<T>> lists_;
  std::vector<std::vector<T>> memory_;
};

}  // namespace gsim::transport
