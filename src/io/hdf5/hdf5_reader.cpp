#include "src/io/hdf5/hdf5_reader.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "src/io/files/file_system.hpp"

namespace gsim::io {
namespace {

Handle open_file(const std::string& path) {
  if (const std::string what = irregular_file_kind(path); !what.empty())
    throw IoError(fmt::format("cannot read {}: it is {}", path, what));
  const Hdf5Lock lock;
  const Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "read", path);
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "read", path);
  checked(H5Pset_file_locking(access.get(), true, true), "read", path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (file < 0) {
    std::string reason = pop_error_message();  // before another call of HDF5 clears the message
    if (file_size(path) >= 0 && H5Fis_hdf5(path.c_str()) == 0) reason = "it is not an HDF5 file";
    throw IoError(fmt::format("cannot read {}: {}", path, reason));
  }
  return {file, H5Fclose};
}

/// Collects the paths of datasets below a group.
struct Collector {
  std::string prefix;
  std::vector<std::string> found;
};

herr_t visit(hid_t, const char* name, const H5O_info_t* info, void* out) {
  auto& collector = *static_cast<Collector*>(out);
  if (info->type == H5O_TYPE_DATASET) collector.found.push_back(collector.prefix + name);
  return 0;
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)), file_(open_file(path_)) {}

std::string Hdf5Reader::read_action(std::string_view dataset) const {
  return fmt::format("read dataset {} of", dataset);
}

bool Hdf5Reader::exists(const std::string& object) const {
  for (std::size_t slash = 0; slash != object.size();) {
    slash = std::min(object.find('/', slash + 1), object.size());
    const std::string part = object.substr(0, slash);
    if (checked(H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT), "read", path_) <= 0 ||
        checked(H5Oexists_by_name(file_.get(), part.c_str(), H5P_DEFAULT), "read", path_) <= 0) {
      return false;
    }
    if (slash == object.size()) break;
    const Handle parent =
        own(H5Oopen(file_.get(), part.c_str(), H5P_DEFAULT), H5Oclose, "read", path_);
    if (H5Iget_type(parent.get()) != H5I_GROUP) return false;  // a dataset has no members
  }
  return true;
}

bool Hdf5Reader::try_open_dataset(const std::string& dataset) const {
  if (open_ && open_name_ == dataset) return true;
  Handle opened(H5Dopen2(file_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!opened) {
    const std::string reason = pop_error_message();
    if (!exists(dataset)) return false;
    const Handle object =
        own(H5Oopen(file_.get(), dataset.c_str(), H5P_DEFAULT), H5Oclose, "read", path_);
    if (H5Iget_type(object.get()) != H5I_DATASET) return false;
    throw IoError(fmt::format("cannot {} {}: {}", read_action(dataset), path_, reason));
  }
  open_ = std::move(opened);
  open_name_ = dataset;
  return true;
}

bool Hdf5Reader::has(std::string_view dataset) const {
  const Hdf5Lock lock;
  return try_open_dataset(normal_path(dataset));
}

const Handle& Hdf5Reader::open_dataset(const std::string& dataset) const {
  if (!try_open_dataset(dataset))
    throw IoError(fmt::format("{} has no dataset {}", path_, dataset));
  return open_;
}

StoredShape Hdf5Reader::shape(std::string_view dataset) const {
  const Hdf5Lock lock;
  const std::string name = normal_path(dataset);
  const Handle& handle = open_dataset(name);
  const Handle type = own(H5Dget_type(handle.get()), H5Tclose, read_action(name), path_);
  const auto stored = stored_type(type.get());
  if (!stored) {
    throw IoError(
        fmt::format("dataset {} of {} has an element type that gsim does not read", name, path_));
  }
  const std::vector<Index> sizes = sizes_of(handle, name);
  StoredShape result{*stored, 1, 1};
  if (!sizes.empty()) result.rows = sizes[0];
  for (std::size_t i = 1; i < sizes.size(); ++i) result.columns *= sizes[i];
  return result;
}

std::vector<Index> Hdf5Reader::sizes_of(const Handle& dataset, const std::string& name) const {
  const Handle space = own(H5Dget_space(dataset.get()), H5Sclose, read_action(name), path_);
  const int rank = checked(H5Sget_simple_extent_ndims(space.get()), read_action(name), path_);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (rank > 0) {
    checked(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr), read_action(name),
            path_);
  }
  return {sizes.begin(), sizes.end()};
}

std::vector<Index> Hdf5Reader::extents(std::string_view dataset) const {
  const Hdf5Lock lock;
  const std::string name = normal_path(dataset);
  return sizes_of(open_dataset(name), name);
}

void Hdf5Reader::read_frames(std::string_view dataset, const StoredType& type, IndexRange frames,
                             IndexRange rows, void* data) const {
  const Hdf5Lock lock;
  const std::string name = normal_path(dataset);
  const Handle& handle = open_dataset(name);
  const std::vector<Index> sizes = sizes_of(handle, name);
  std::vector<hsize_t> start(sizes.size(), 0), count(sizes.begin(), sizes.end());
  const auto select = [&](std::size_t axis, IndexRange range) {
    if (range.first < 0 || range.last > sizes[axis] || range.last < range.first) {
      throw IoError(fmt::format("dataset {} of {} has {} 0 to {}, not {} to {}", name, path_,
                                axis == 0 ? "frames" : "rows", sizes[axis], range.first,
                                range.last));
    }
    start[axis] = static_cast<hsize_t>(range.first);
    count[axis] = static_cast<hsize_t>(range.size());
  };
  if (sizes.empty()) throw IoError(fmt::format("dataset {} of {} has no frames", name, path_));
  select(0, frames);
  if (sizes.size() > 1) select(1, rows);
  if (frames.empty() || rows.empty()) return;
  read_part(handle, name, type, start, count, data);
}

void Hdf5Reader::read_block(std::string_view dataset, ElementType type,
                            std::span<const Index> first, std::span<const Index> count,
                            void* data) const {
  const StoredType stored = type_of_numbers(dataset, type);
  const Hdf5Lock lock;
  const std::string name = normal_path(dataset);
  const Handle& handle = open_dataset(name);
  const std::vector<Index> sizes = sizes_of(handle, name);
  bool is_inside = sizes.size() == first.size() && sizes.size() == count.size();
  for (std::size_t a = 0; a < sizes.size() && is_inside; ++a)
    is_inside = first[a] >= 0 && count[a] > 0 && first[a] <= sizes[a] - count[a];
  if (!is_inside)
    throw IoError(fmt::format(
        "dataset {} of {} has the sizes {}, but {} elements from {} are requested", name, path_,
        fmt::join(sizes, " x "), fmt::join(count, " x "), fmt::join(first, ", ")));
  read_part(handle, name, stored, {first.begin(), first.end()}, {count.begin(), count.end()}, data);
}

void Hdf5Reader::read(std::string_view dataset, const StoredType& type, IndexRange rows,
                      void* data) const {
  const Hdf5Lock lock;
  const std::string name = normal_path(dataset);
  const Handle& handle = open_dataset(name);
  const std::vector<Index> sizes = sizes_of(handle, name);
  const Index stored = sizes.empty() ? 1 : sizes[0];  // a scalar has one row
  if (rows.first < 0 || rows.last > stored || rows.last < rows.first) {
    throw IoError(fmt::format("dataset {} of {} has rows 0 to {}, not {} to {}", name, path_,
                              stored, rows.first, rows.last));
  }
  if (rows.empty()) return;
  std::vector<hsize_t> start(sizes.size(), 0), count(sizes.begin(), sizes.end());
  if (!sizes.empty()) {
    start[0] = static_cast<hsize_t>(rows.first);
    count[0] = static_cast<hsize_t>(rows.size());
  }
  read_part(handle, name, type, start, count, data);
}

void Hdf5Reader::read_part(const Handle& dataset, const std::string& name, const StoredType& type,
                           const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
                           void* data) const {
  const std::string what = read_action(name);
  const Handle in_file = own(H5Dget_space(dataset.get()), H5Sclose, what, path_);
  if (!count.empty()) {
    checked(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr),
            what, path_);
  }
  const Handle in_memory =
      own(count.empty() ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
          H5Sclose, what, path_);
  checked(H5Dread(dataset.get(), memory_type(type).get(), in_memory.get(), in_file.get(),
                  H5P_DEFAULT, data),
          what, path_);
}

StoredType Hdf5Reader::type_of_numbers(std::string_view dataset, ElementType required) const {
  const StoredType stored = shape(dataset).type;
  if (stored != StoredType{required, 0}) {
    throw IoError(fmt::format("dataset {} of {} holds {}, not {}", dataset, path_, stored.name(),
                              name_of(required)));
  }
  return stored;
}

void Hdf5Reader::read_numbers(std::string_view dataset, ElementType type, IndexRange rows,
                              void* data) const {
  read(dataset, type_of_numbers(dataset, type), rows, data);
}

std::vector<std::string> Hdf5Reader::read_strings(std::string_view dataset) const {
  const StoredShape stored = shape(dataset);
  if (!stored.type.is_string()) {
    throw IoError(
        fmt::format("dataset {} of {} holds {}, not strings", dataset, path_, stored.type.name()));
  }
  std::vector<char> bytes(stored.type.string_length *
                          static_cast<std::size_t>(stored.rows * stored.columns));
  read(dataset, stored.type, {0, stored.rows}, bytes.data());
  return unpack_strings(bytes, stored.type.string_length);
}

std::vector<std::string> Hdf5Reader::list(std::string_view group) const {
  const Hdf5Lock lock;
  const std::string name = group.empty() || group == "/" ? "/" : normal_path(group);
  if (name != "/" && !exists(name)) throw IoError(fmt::format("{} has no group {}", path_, name));
  Collector collector{name == "/" ? "" : name + "/", {}};
  const Handle object =
      own(H5Oopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Oclose, "list", path_);
  checked(H5Ovisit2(object.get(), H5_INDEX_NAME, H5_ITER_INC, visit, &collector, H5O_INFO_BASIC),
          "list", path_);
  return std::move(collector.found);
}

bool Hdf5Reader::has_group(std::string_view group) const {
  const Hdf5Lock lock;
  const std::string name = group.empty() || group == "/" ? "/" : normal_path(group);
  Handle object(H5Oopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object) {
    const std::string reason = pop_error_message();
    if (!exists(name)) return false;
    throw IoError(fmt::format("cannot read {}: {}", path_, reason));
  }
  return H5Iget_type(object.get()) == H5I_GROUP;
}

std::vector<std::string> Hdf5Reader::children(std::string_view group) const {
  const Hdf5Lock lock;
  const std::string name = group.empty() || group == "/" ? "/" : normal_path(group);
  const std::string what = fmt::format("list group {} of", name);
  const Handle object =
      own(H5Gopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Gclose, what, path_);
  const Handle creation = own(H5Gget_create_plist(object.get()), H5Pclose, what, path_);
  unsigned order = 0;
  checked(H5Pget_link_creation_order(creation.get(), &order), what, path_);
  const bool tracked = (order & H5P_CRT_ORDER_TRACKED) != 0;
  std::vector<std::string> names;
  const auto collect_name = [](hid_t, const char* child, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(child);
    return 0;
  };
  checked(H5Literate(object.get(), tracked ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME, H5_ITER_INC,
                     nullptr, collect_name, &names),
          what, path_);
  return names;
}

Index Hdf5Reader::offset(std::string_view dataset) const {
  const Hdf5Lock lock;
  const Handle& handle = open_dataset(normal_path(dataset));
  const haddr_t address = H5Dget_offset(handle.get());
  return address == HADDR_UNDEF ? -1 : static_cast<Index>(address);
}

}  // namespace gsim::io
