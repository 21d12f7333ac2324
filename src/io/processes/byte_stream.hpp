#pragma once
// Numbers and texts as one string of bytes, for messages between two processes of this machine.

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/types.hpp"

namespace gsim::io {

/// What is put in is taken out in the same order. Taking more than there is throws IoError: the
/// other process may be a broken one.
class ByteStream {
 public:
  ByteStream() = default;
  explicit ByteStream(std::string bytes) : bytes_(std::move(bytes)) {}

  const std::string& bytes() const { return bytes_; }

  ByteStream& put(Index value) { return put_bytes(&value, sizeof value); }
  ByteStream& put(std::string_view text) {
    put(static_cast<Index>(text.size()));
    return put_bytes(text.data(), text.size());
  }
  template <class T>
  requires std::is_arithmetic_v<T> ByteStream& put(std::span<const T> values) {
    put(static_cast<Index>(values.size()));
    return put_bytes(values.data(), values.size_bytes());
  }
  ByteStream& put(std::span<const std::string> texts) {
    put(static_cast<Index>(texts.size()));
    for (const std::string& text : texts) put(text);
    return *this;
  }

  Index take() {
    Index value = 0;
    take_bytes(&value, sizeof value);
    return value;
  }
  std::string take_text() {
    std::string text(take_count(1), '\0');
    take_bytes(text.data(), text.size());
    return text;
  }
  template <class T>
  std::vector<T> take_all() {
    std::vector<T> values(take_count(sizeof(T)));
    take_bytes(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::vector<std::string> take_texts() {
    std::vector<std::string> texts(take_count(sizeof(Index)));
    for (std::string& text : texts) text = take_text();
    return texts;
  }
  /// Exactly `size` bytes, without a count.
  void take_bytes(void* data, std::size_t size) {
    if (size > bytes_.size() - at_) throw IoError("an answer is shorter than it says");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  ByteStream& put_bytes(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }

 private:
  std::size_t take_count(std::size_t least_bytes_each) {
    const Index count = take();
    if (count < 0 || static_cast<std::size_t>(count) > (bytes_.size() - at_) / least_bytes_each)
      throw IoError("an answer is shorter than it says");
    return static_cast<std::size_t>(count);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace gsim::io
