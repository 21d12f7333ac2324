#include "src/io/hdf5/stored_type.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim {

namespace io {
namespace {

constexpr ElementType all_types[] = {
    ElementType::float64, ElementType::float32, ElementType::int64, ElementType::uint64,
    ElementType::int32,   ElementType::uint32,  ElementType::uint8};

hid_t number_type(ElementType type, bool in_file) {
  switch (type) {
    case ElementType::float64:
      return in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE;
    case ElementType::float32:
      return in_file ? H5T_IEEE_F32LE : H5T_NATIVE_FLOAT;
    case ElementType::int64:
      return in_file ? H5T_STD_I64LE : H5T_NATIVE_INT64;
    case ElementType::uint64:
      return in_file ? H5T_STD_U64LE : H5T_NATIVE_UINT64;
    case ElementType::int32:
      return in_file ? H5T_STD_I32LE : H5T_NATIVE_INT32;
    case ElementType::uint32:
      return in_file ? H5T_STD_U32LE : H5T_NATIVE_UINT32;
    case ElementType::uint8:
      return in_file ? H5T_STD_U8LE : H5T_NATIVE_UINT8;
  }
  throw Error("internal error: unknown element type");
}

Handle copy_type(hid_t type) {
  return own(H5Tcopy(type), H5Tclose, "make a type for", "an HDF5 file");
}

Handle string_type(std::size_t length) {
  Handle type = copy_type(H5T_C_S1);
  checked(H5Tset_size(type.get(), length), "make a type for", "strings");
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a type for", "strings");
  checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a type for", "strings");
  return type;
}

}  // namespace

const char* name_of(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return "float64";
    case ElementType::float32:
      return "float32";
    case ElementType::int64:
      return "int64";
    case ElementType::uint64:
      return "uint64";
    case ElementType::int32:
      return "int32";
    case ElementType::uint32:
      return "uint32";
    case ElementType::uint8:
      return "uint8";
  }
  return "unknown";
}

std::string StoredType::name() const { return is_string() ? "string" : name_of(element); }

Handle file_type(const StoredType& type) {
  return type.is_string() ? string_type(type.string_length)
                          : copy_type(number_type(type.element, /*in_file=*/true));
}

Handle memory_type(const StoredType& type) {
  return type.is_string() ? string_type(type.string_length)
                          : copy_type(number_type(type.element, /*in_file=*/false));
}

std::optional<StoredType> stored_type(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING) {
    if (H5Tis_variable_str(type) != 0) return std::nullopt;
    return StoredType{ElementType::uint8, H5Tget_size(type)};
  }
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) return std::nullopt;
  for (const ElementType candidate : all_types) {
    const hid_t gsim_type = number_type(candidate, /*in_file=*/true);
    if (kind != H5Tget_class(gsim_type) || H5Tget_size(type) != H5Tget_size(gsim_type)) continue;
    if (kind == H5T_INTEGER && H5Tget_sign(type) != H5Tget_sign(gsim_type)) continue;
    return StoredType{candidate, 0};
  }
  return std::nullopt;
}

PackedStrings pack_strings(std::span<const std::string> values, std::string_view path) {
  PackedStrings packed;
  packed.rows = static_cast<Index>(values.size());
  for (const auto& value : values) {
    if (value.find('\0') != std::string::npos) {
      throw Error(fmt::format("internal error: text of {} has a zero byte in it", path));
    }
    packed.length = std::max(packed.length, value.size());
  }
  packed.bytes.assign(packed.length * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::copy(values[i].begin(), values[i].end(), packed.bytes.begin() + i * packed.length);
  }
  return packed;
}

std::vector<std::string> unpack_strings(std::span<const char> bytes, std::size_t length) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i + length <= bytes.size(); i += length) {
    values.emplace_back(bytes.data() + i, ::strnlen(bytes.data() + i, length));
  }
  return values;
}

std::string normal_path(std::string_view path) {
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  const std::string delimited = fmt::format("/{}/", path);
  if (path.empty() || delimited.find("//") != std::string::npos ||
      delimited.find("/./") != std::string::npos || delimited.find("/../") != std::string::npos ||
      delimited.find('\0') != std::string::npos) {
    throw Error(fmt::format("internal error: \"{}\" is no dataset path", path));
  }
  return std::string(path);
}

void validate_shape(std::string_view path, const DatasetShape& shape, std::size_t element_bytes) {
  const Index max_elements = std::numeric_limits<Index>::max() / static_cast<Index>(element_bytes);
  if (shape.rows < 0 || shape.columns < 1 || shape.rows > max_elements / shape.columns) {
    throw Error(fmt::format("internal error: dataset {} cannot have {} rows of {} columns", path,
                            shape.rows, shape.columns));
  }
}

}  // namespace io
}  // namespace gsim
