#include <algorithm>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"

namespace gsim::io {
namespace {

std::string action_on(const std::string& path, const std::string& name) {
  return fmt::format("write attribute {} of {} to", name, path);
}

Handle simple_space(std::size_t count, const std::string& what, const std::string& file) {
  const hsize_t size = count;
  return own(H5Screate_simple(1, &size, nullptr), H5Sclose, what, file);
}

Handle scalar_space(const std::string& what, const std::string& file) {
  return own(H5Screate(H5S_SCALAR), H5Sclose, what, file);
}

/// Approximate size of an attribute in bytes.
Index size_of(const AttributeValue& value) {
  return std::visit(
      [](const auto& v) -> Index {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::vector<Index>> ||
                      std::is_same_v<T, std::vector<double>>) {
          return static_cast<Index>(8 * v.size());
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          Index bytes = 0;
          for (const std::string& text : v) bytes += static_cast<Index>(text.size());
          return bytes;
        } else if constexpr (std::is_same_v<T, FixedLengthString> ||
                             std::is_same_v<T, VariableLengthString>) {
          return static_cast<Index>(v.text.size());
        } else {
          return 16;  // a number or a reference
        }
      },
      value);
}

}  // namespace

void Hdf5Writer::make_groups(const std::string& path, const std::string& what) {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string group = path.substr(0, slash);
    // Every part of the path must be checked: HDF5 fails if a parent is missing.
    if (checked(H5Lexists(file_.get(), group.c_str(), H5P_DEFAULT), what, path_) > 0) continue;
    own(H5Gcreate2(file_.get(), group.c_str(), link_creation_.get(), group_creation_.get(),
                   H5P_DEFAULT),
        H5Gclose, what, path_)
        .close(what, path_);
  }
}

Handle Hdf5Writer::open_or_make_group(const std::string& path, const std::string& what) {
  if (path == "/") return own(H5Oopen(file_.get(), "/", H5P_DEFAULT), H5Oclose, what, path_);
  make_groups(path, what);
  const bool exists = checked(H5Lexists(file_.get(), path.c_str(), H5P_DEFAULT), what, path_) > 0;
  return exists ? own(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT), H5Oclose, what, path_)
                : own(H5Gcreate2(file_.get(), path.c_str(), link_creation_.get(),
                                 group_creation_.get(), H5P_DEFAULT),
                      H5Gclose, what, path_);
}

void Hdf5Writer::set_attribute(const std::string& path, const std::string& name, hid_t type,
                               hid_t space, const void* data) {
  const std::string what = action_on(path, name);
  if (!described_ || described_path_ != path) {
    described_.close(what, path_);
    described_ = open_or_make_group(path, what);
    described_path_ = path;
  }
  const hid_t object = described_.get();
  if (checked(H5Aexists(object, name.c_str()), what, path_) > 0) {
    checked(H5Adelete(object, name.c_str()), what, path_);
  }
  Handle attribute = own(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, what, path_);
  checked(H5Awrite(attribute.get(), type, data), what, path_);
  attribute.close(what, path_);
}

void Hdf5Writer::attribute(std::string_view path, std::string_view name, std::string_view text) {
  require_open();
  const std::string object = path.empty() || path == "/" ? "/" : normal_path(path);
  metadata_ += metadata_per_object + 2 * static_cast<Index>(text.size());
  reserve(0);
  agree([&] {
    if (text.find('\0') != std::string_view::npos || name.empty()) {
      throw Error(fmt::format("internal error: bad attribute \"{}\" of {}", name, object));
    }
    if (!has_file_) return;
    const Hdf5Lock lock;
    const std::string what = action_on(object, std::string(name));
    const PackedStrings packed = pack_strings(std::vector<std::string>{std::string(text)}, what);
    set_attribute(object, std::string(name), file_type({ElementType::uint8, packed.length}).get(),
                  scalar_space(what, path_).get(), packed.bytes.data());
  });
}

void Hdf5Writer::attribute(std::string_view path, std::string_view name,
                           const AttributeValue& value) {
  require_open();
  const std::string object = path.empty() || path == "/" ? "/" : normal_path(path);
  const std::string key(name), what = action_on(object, key);
  metadata_ += metadata_per_object + 2 * size_of(value);
  reserve(0);
  const auto put = [&](hid_t type, const Handle& space, const void* data) {
    set_attribute(object, key, type, space.get(), data);
  };
  const auto put_texts = [&](std::span<const std::string> texts, const Handle& space) {
    const PackedStrings packed = pack_strings(texts, what);
    put(file_type({ElementType::uint8, packed.length}).get(), space, packed.bytes.data());
  };
  const auto write = [&](const auto& v) {
    using T = std::decay_t<decltype(v)>;
    if constexpr (std::is_same_v<T, Index>) {
      put(memory_type({ElementType::int64, 0}).get(), scalar_space(what, path_), &v);
    } else if constexpr (std::is_same_v<T, std::vector<Index>>) {
      put(memory_type({ElementType::int64, 0}).get(), simple_space(v.size(), what, path_),
          v.data());
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      put(memory_type({ElementType::float64, 0}).get(), simple_space(v.size(), what, path_),
          v.data());
    } else if constexpr (std::is_same_v<T, FixedLengthString>) {
      put_texts(std::span(&v.text, 1), scalar_space(what, path_));
    } else if constexpr (std::is_same_v<T, VariableLengthString>) {
      const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, what, path_);
      checked(H5Tset_size(type.get(), H5T_VARIABLE), what, path_);
      checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), what, path_);
      const char* const text = v.text.c_str();
      put(type.get(), scalar_space(what, path_), &text);
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      put_texts(v, simple_space(v.size(), what, path_));
    } else {
      hobj_ref_t reference{};
      checked(H5Rcreate(&reference, file_.get(), normal_path(v.target).c_str(), H5R_OBJECT,
                        H5I_INVALID_HID),
              what, path_);
      put(H5T_STD_REF_OBJ, scalar_space(what, path_), &reference);
    }
  };
  agree([&] {
    if (!has_file_) return;
    const Hdf5Lock lock;
    std::visit(write, value);
  });
}

void Hdf5Writer::link(std::string_view path, std::string_view target) {
  require_open();
  metadata_ += metadata_per_object;
  reserve(0);
  agree([&] {
    if (!has_file_) return;
    const Hdf5Lock lock;
    const std::string name = normal_path(path);
    make_groups(name, "link in");
    checked(H5Lcreate_hard(file_.get(), normal_path(target).c_str(), file_.get(), name.c_str(),
                           link_creation_.get(), H5P_DEFAULT),
            fmt::format("link {} in", name), path_);
  });
}

}  // namespace gsim::io
