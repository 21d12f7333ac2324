#pragma once
// How elements lie in a file: little-endian IEEE and two's complement numbers, or strings of UTF-8
// padded with zeros to a fixed length (parallel HDF5 cannot write variable ones).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "src/io/hdf5/hdf5_handle.hpp"

namespace gsim::io {

/// "float64", …
const char* name_of(ElementType type);

/// Element type of a dataset, strings included.
struct StoredType {
  ElementType element = ElementType::uint8;
  std::size_t string_length = 0;  ///< bytes; 0: not a string

  bool is_string() const { return string_length > 0; }
  std::size_t size() const { return is_string() ? string_length : element_size(element); }
  std::string name() const;  ///< "float64", "string"
  friend bool operator==(const StoredType&, const StoredType&) = default;
};

Handle file_type(const StoredType& type);
Handle memory_type(const StoredType& type);
/// The stored type that an HDF5 type is, if it is one of ours.
std::optional<StoredType> stored_type(hid_t type);

/// Strings as rows of equal length, and back.
struct PackedStrings {
  std::size_t length = 1;
  Index rows = 0;
  std::vector<char> bytes;
};
PackedStrings pack_strings(std::span<const std::string> values, std::string_view path);
std::vector<std::string> unpack_strings(std::span<const char> bytes, std::size_t length);

/// "/a/b/" → "a/b"; throws Error on empty names, empty parts, "." and "..".
std::string normal_path(std::string_view path);

/// Throws Error unless the shape has rows >= 0, columns >= 1 and a size that 63 bits hold.
void validate_shape(std::string_view path, const DatasetShape& shape, std::size_t element_bytes);

}  // namespace gsim::io
