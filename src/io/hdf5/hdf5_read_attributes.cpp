#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"

namespace gsim::io {

std::string Hdf5Reader::text_of(hid_t object, const std::string& name) const {
  const std::string what = fmt::format("read attribute {} of", name);
  const Handle attribute = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what, path_);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, what, path_);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, path_);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) {
    throw IoError(fmt::format("cannot read attribute {} of {}: it is not text", name, path_));
  }
  const auto stored = stored_type(type.get());
  if (stored) {
    std::vector<char> text(stored->string_length);
    const Handle memory = own(H5Tcopy(type.get()), H5Tclose, what, path_);
    checked(H5Aread(attribute.get(), memory.get(), text.data()), what, path_);
    return unpack_strings(text, text.size()).at(0);
  }
  char* text = nullptr;
  checked(H5Aread(attribute.get(), type.get(), &text), what, path_);
  std::string result = text ? text : "";
  H5free_memory(text);
  return result;
}

Handle Hdf5Reader::open_object(std::string_view path) const {
  const std::string name = path.empty() || path == "/" ? "/" : normal_path(path);
  Handle object(H5Oopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
  if (object) return object;
  const std::string reason = pop_error_message();
  if (!exists(name)) throw IoError(fmt::format("{} has no {}", path_, name));
  throw IoError(fmt::format("cannot read {}: {}", path_, reason));
}

Hdf5Reader::OpenAttribute Hdf5Reader::open_attribute(std::string_view path,
                                                     std::string_view name) const {
  const Handle object = open_object(path);
  const std::string text(name);
  if (checked(H5Aexists(object.get(), text.c_str()), "read", path_) <= 0) {
    throw IoError(fmt::format("{} of {} has no attribute {}", path, path_, name));
  }
  Handle attribute = own(H5Aopen(object.get(), text.c_str(), H5P_DEFAULT), H5Aclose, "read", path_);
  Handle type = own(H5Aget_type(attribute.get()), H5Tclose, "read", path_);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, "read", path_);
  const auto count = checked(H5Sget_simple_extent_npoints(space.get()), "read", path_);
  return {std::move(attribute), std::move(type), static_cast<std::size_t>(count)};
}

bool Hdf5Reader::has_attribute(std::string_view path, std::string_view name) const {
  const Hdf5Lock lock;
  const Handle object = open_object(path);
  return checked(H5Aexists(object.get(), std::string(name).c_str()), "read", path_) > 0;
}

std::string Hdf5Reader::attribute(std::string_view path, std::string_view name) const {
  const Hdf5Lock lock;
  (void)open_attribute(path, name);  // throws if it does not exist
  return text_of(open_object(path).get(), std::string(name));
}

std::vector<double> Hdf5Reader::attribute_numbers(std::string_view path,
                                                  std::string_view name) const {
  const Hdf5Lock lock;
  const OpenAttribute a = open_attribute(path, name);
  const H5T_class_t kind = H5Tget_class(a.type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
    throw IoError(fmt::format("attribute {} of {} in {} is not a number", name, path, path_));
  }
  std::vector<double> values(a.count);
  if (!values.empty()) {
    checked(H5Aread(a.attribute.get(), H5T_NATIVE_DOUBLE, values.data()), "read", path_);
  }
  return values;
}

std::vector<std::string> Hdf5Reader::attribute_texts(std::string_view path,
                                                     std::string_view name) const {
  const Hdf5Lock lock;
  const OpenAttribute a = open_attribute(path, name);
  if (H5Tget_class(a.type.get()) != H5T_STRING) {
    throw IoError(fmt::format("attribute {} of {} in {} is not text", name, path, path_));
  }
  if (const auto stored = stored_type(a.type.get())) {
    std::vector<char> bytes(stored->string_length * a.count);
    if (a.count > 0) checked(H5Aread(a.attribute.get(), a.type.get(), bytes.data()), "read", path_);
    return unpack_strings(bytes, stored->string_length);
  }
  std::vector<char*> texts(a.count, nullptr);
  if (a.count > 0) checked(H5Aread(a.attribute.get(), a.type.get(), texts.data()), "read", path_);
  std::vector<std::string> values;
  for (char* text : texts) {
    values.emplace_back(text != nullptr ? text : "");
    H5free_memory(text);
  }
  return values;
}

std::string Hdf5Reader::attribute_target(std::string_view path, std::string_view name) const {
  const Hdf5Lock lock;
  const OpenAttribute a = open_attribute(path, name);
  if (checked(H5Tequal(a.type.get(), H5T_STD_REF_OBJ), "read", path_) <= 0 || a.count != 1) {
    throw IoError(
        fmt::format("attribute {} of {} in {} is not a reference to an object", name, path, path_));
  }
  hobj_ref_t reference{};
  checked(H5Aread(a.attribute.get(), H5T_STD_REF_OBJ, &reference), "read", path_);
  const Handle object = own(H5Rdereference2(a.attribute.get(), H5P_DEFAULT, H5R_OBJECT, &reference),
                            H5Oclose, "read", path_);
  const auto length = checked(H5Iget_name(object.get(), nullptr, 0), "read", path_);
  std::string target(static_cast<std::size_t>(length) + 1, '\0');
  checked(H5Iget_name(object.get(), target.data(), target.size()), "read", path_);
  target.resize(static_cast<std::size_t>(length));
  return target.substr(std::min<std::size_t>(target.find_first_not_of('/'), target.size()));
}

std::vector<std::pair<std::string, std::string>> Hdf5Reader::attributes(
    std::string_view path) const {
  const Hdf5Lock lock;
  const std::string object = path.empty() || path == "/" ? "/" : normal_path(path);
  const Handle handle =
      own(H5Oopen(file_.get(), object.c_str(), H5P_DEFAULT), H5Oclose, "read", path_);
  std::vector<std::string> names;
  const auto collect_name = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  checked(H5Aiterate2(handle.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names),
          "read", path_);
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& name : names) {
    try {
      result.emplace_back(name, text_of(handle.get(), name));
    } catch (const IoError&) {
      // not a string: files of other programs have numeric attributes
    }
  }
  return result;
}

}  // namespace gsim::io
