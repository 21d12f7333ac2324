#pragma once
// An owning buffer of trivially copyable elements in the memory of one executor. Nothing is copied
// implicitly: contents move between host and device only through named functions.

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/view.hpp"

namespace gsim {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Allocates `size` zero-initialised elements in the memory of `executor`.
  Array(Executor executor, Index size) : executor_(std::move(executor)) { resize_discard(size); }
  /// Allocates and copies host data.
  Array(Executor executor, std::span<const T> host)
      : Array(std::move(executor), static_cast<Index>(host.size())) {
    assign(host);
  }
  ~Array() { release(); }
  Array(Array&& other) noexcept
      : executor_(other.executor_),  // NOLINT(performance-move-constructor-init): `other` keeps its
                                     // executor
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  Index size() const { return size_; }
  const Executor& executor() const { return executor_; }
  View<T> view() { return {data_, size_}; }
  View<const T> view() const { return {data_, size_}; }

  /// Sets the size and all elements to zero. Memory is reallocated only to grow.
  void resize_discard(Index size) {
    resize_uninitialised(size);
    if (size_ > 0) executor_.fill_zero(data_, bytes(size_));
  }
  /// Sets the size; the values of all elements are unspecified until they are written. Memory is
  /// reallocated only to grow.
  void resize_uninitialised(Index size) {
    GSIM_EXPECT(size >= 0);
    if (size > capacity_) {
      release();
      data_ = static_cast<T*>(executor_.allocate(bytes(size)));
      capacity_ = size;
    }
    size_ = size;
  }
  /// Copies host data; sizes must agree.
  void assign(std::span<const T> host) {
    GSIM_EXPECT(static_cast<Index>(host.size()) == size_);
    if (size_ > 0) executor_.copy_from_host(data_, host.data(), bytes(size_));
  }
  /// A copy of the contents in host memory, after the launches so far.
  std::vector<T> to_host() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    if (size_ > 0) executor_.copy_to_host(host.data(), data_, bytes(size_));
    return host;
  }

 private:
  static std::size_t bytes(Index n) { return static_cast<std::size_t>(n) * sizeof(T); }
  void release() noexcept {
    if (data_ != nullptr) executor_.deallocate(data_);
    data_ = nullptr;
    capacity_ = size_ = 0;
  }
  Executor executor_;
  T* data_ = nullptr;
  Index size_ = 0;
  Index capacity_ = 0;
};

}  // namespace gsim
