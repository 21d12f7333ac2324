#pragma once
// Representation of elements in a file: little-endian IEEE 754 and two's complement numbers, or
// UTF-8 strings padded with zeros to a fixed length (parallel HDF5 cannot write variable-length
// strings).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "src/io/hdf5/hdf5_handle.hpp"

namespace gsim::io {

/// The name of a type: "float64", …
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

/// The HDF5 type of elements in files (little-endian), and in memory (the machine's).
Handle file_type(const StoredType& type);
Handle memory_type(const StoredType& type);
/// The StoredType of an HDF5 type; empty if it is not one of gsim's types.
std::optional<StoredType> stored_type(hid_t type);

/// Strings packed into rows of equal length.
struct PackedStrings {
  std::size_t length = 1;
  Index rows = 0;
  std::vector<char> bytes;
};
PackedStrings pack_strings(std::span<const std::string> values, std::string_view path);
std::vector<std::string> unpack_strings(std::span<const char> bytes, std::size_t length);

/// Normalises a path: "/a/b/" → "a/b"; throws Error for empty names, empty parts, "." and "..".
std::string normal_path(std::string_view path);

/// Throws Error unless rows >= 0, columns >= 1 and the size in bytes fits in 63 bits.
void validate_shape(std::string_view path, const DatasetShape& shape, std::size_t element_bytes);

}  // namespace gsim::io
