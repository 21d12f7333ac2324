#pragma once
// Serialisation of numbers and strings to bytes, for messages between two processes of this
// machine.

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/types.hpp"

namespace gsim::io {

/// Values are read in the order in which they were written. Reading beyond the end throws IoError:
/// the other process may have failed.
class ByteStream {
 public:
  ByteStream() = default;
  explicit ByteStream(std::string bytes) : bytes_(std::move(bytes)) {}

  const std::string& bytes() const { return bytes_; }

  ByteStream& write(Index value) { return write_bytes(&value, sizeof value); }
  ByteStream& write(std::string_view text) {
    write(static_cast<Index>(text.size()));
    return write_bytes(text.data(), text.size());
  }
  template <class T>
  requires std::is_arithmetic_v<T> ByteStream& write(std::span<const T> values) {
    write(static_cast<Index>(values.size()));
    return write_bytes(values.data(), values.size_bytes());
  }
  ByteStream& write(std::span<const std::string> texts) {
    write(static_cast<Index>(texts.size()));
    for (const std::string& text : texts) write(text);
    return *this;
  }

  Index read_index() {
    Index value = 0;
    read_bytes(&value, sizeof value);
    return value;
  }
  std::string read_text() {
    std::string text(read_count(1), '\0');
    read_bytes(text.data(), text.size());
    return text;
  }
  template <class T>
  std::vector<T> read_values() {
    std::vector<T> values(read_count(sizeof(T)));
    read_bytes(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::vector<std::string> read_texts() {
    std::vector<std::string> texts(read_count(sizeof(Index)));
    for (std::string& text : texts) text = read_text();
    return texts;
  }
  /// Reads exactly `size` bytes, without a count.
  void read_bytes(void* data, std::size_t size) {
    if (size > bytes_.size() - at_) throw IoError("a reply is shorter than announced");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  ByteStream& write_bytes(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }

 private:
  std::size_t read_count(std::size_t min_bytes_each) {
    const Index count = read_index();
    if (count < 0 || static_cast<std::size_t>(count) > (bytes_.size() - at_) / min_bytes_each)
      throw IoError("a reply is shorter than announced");
    return static_cast<std::size_t>(count);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace gsim::io
