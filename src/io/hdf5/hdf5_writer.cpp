#include "src/io/hdf5/hdf5_writer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <mpi.h>

#include "gsim/core/error.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/hdf5/agree_with_timeout.hpp"
#include "src/io/hdf5/row_ranges.hpp"

namespace gsim::io {
namespace {

constexpr std::size_t default_transfer_limit = std::size_t{256} << 20;

Handle access_properties(const Communicator& communicator, bool parallel) {
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "set up", "HDF5");
  // File format 1.8 and later has checksums on metadata and no limit on the size of headers.
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST), "set up", "HDF5");
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "set up", "HDF5");
  if (parallel) {
    const auto* comm = static_cast<MPI_Comm*>(communicator.backend().mpi_communicator());
    checked(H5Pset_fapl_mpio(access.get(), *comm, MPI_INFO_NULL), "set up", "parallel HDF5");
    checked(H5Pset_coll_metadata_write(access.get(), true), "set up", "parallel HDF5");
    checked(H5Pset_all_coll_metadata_ops(access.get(), true), "set up", "parallel HDF5");
  } else {
    checked(H5Pset_file_locking(access.get(), true, true), "set up", "HDF5");
  }
  return access;
}

Handle transfer_properties(bool parallel) {
  Handle transfer = own(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "set up", "HDF5");
  if (parallel) {
    checked(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE), "set up", "parallel HDF5");
  }
  return transfer;
}

std::vector<hsize_t> extents(const DatasetShape& shape, Index rows) {
  std::vector<hsize_t> sizes{static_cast<hsize_t>(rows)};
  if (shape.columns != 1) sizes.push_back(static_cast<hsize_t>(shape.columns));
  return sizes;
}

Index rows_per_transfer(const StoredType& type, const DatasetShape& shape, int ranks) {
  const std::size_t row_bytes = type.size() * static_cast<std::size_t>(shape.columns);
  return std::max<Index>(1, static_cast<Index>(transfer_limit() / row_bytes / ranks));
}

constexpr std::size_t max_gathered_bytes = std::size_t{16} << 20;

/// Gathers the bytes of all ranks, in rank order, in `all` on rank 0. Collective.
void gather_bytes(const Communicator& communicator, std::span<const char> mine,
                  std::vector<std::byte>& all) {
  const auto parts = communicator.backend().gather(std::as_bytes(mine), 0);
  all.clear();
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
}

}  // namespace

std::size_t& transfer_limit() {
  static std::size_t limit = default_transfer_limit;
  return limit;
}

Hdf5Writer::Hdf5Writer(Communicator communicator, std::string path, std::string final_path)
    : communicator_(std::move(communicator)),
      path_(std::move(path)),
      final_path_(std::move(final_path)),
      parallel_(communicator_.size() > 1 && communicator_.backend().mpi_communicator() &&
                !communicator_.backend().is_oversubscribed()),
      has_file_(parallel_ || communicator_.is_root()) {
  if (parallel_) watchdog_ = std::make_unique<Watchdog>(path_, communicator_.rank());
  communicator_.agree([&] {
    if (communicator_.is_root()) prepare_file(path_, final_path_);
  });
  try {
    reserve(0);
    agree([&] {
      if (has_file_) create_file();
    });
  } catch (...) {  // the destructor of a partially constructed object does not run
    if (parallel_) file_.release();
    file_ = Handle();
    if (communicator_.is_root()) discard_file(path_);
    throw;
  }
}

void Hdf5Writer::agree(const std::function<void()>& body) {
  try {
    if (parallel_)
      agree_with_timeout(communicator_, [&] { watchdog_->run(body); });
    else
      communicator_.agree(body);
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void Hdf5Writer::create_file() {
  const Hdf5Lock lock;
  const std::string action = "create";
  const Handle access = access_properties(communicator_, parallel_);
  const Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose, action, path_);
  checked(H5Pset_obj_track_times(creation.get(), false), action, path_);
  checked(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED), action, path_);
  file_ = own(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose,
              action, path_);
  link_creation_ = own(H5Pcreate(H5P_LINK_CREATE), H5Pclose, action, path_);
  checked(H5Pset_char_encoding(link_creation_.get(), H5T_CSET_UTF8), action, path_);
  // Time stamps would make files with equal contents differ.
  group_creation_ = own(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, action, path_);
  checked(H5Pset_obj_track_times(group_creation_.get(), false), action, path_);
  checked(H5Pset_link_creation_order(group_creation_.get(), H5P_CRT_ORDER_TRACKED), action, path_);
  // The provenance has some forty attributes, which are written faster in its object header than in
  // a heap and its index, which HDF5 uses beyond eight attributes by default.
  constexpr unsigned most_in_header = 128, fewest_in_heap = 64;
  checked(H5Pset_attr_phase_change(group_creation_.get(), most_in_header, fewest_in_heap), action,
          path_);
  transfer_ = transfer_properties(parallel_);
}

Hdf5Writer::~Hdf5Writer() {
  if (published_) return;
  // Closing writes cached data, which should not fail: the space is reserved, or has been released
  // just before.
  if (communicator_.is_root() && !reserved_) discard_file(path_);
  const Hdf5Lock lock;
  // A rank that has failed may fail again in a collective close, and if only one rank has failed,
  // the others do not take part in the close: the file stays open until the process ends.
  if (parallel_ && (failed_ || std::uncaught_exceptions() > exceptions_)) {
    described_.release();
    file_.release();
  }
  described_ = Handle();
  file_ = Handle();
  if (communicator_.is_root()) discard_file(path_);
}

void Hdf5Writer::require_open() const {
  if (has_file_ && !file_) throw Error(fmt::format("internal error: {} is not open", path_));
}

std::string Hdf5Writer::action(const std::string& dataset) const {
  return fmt::format("write dataset {} to", dataset);
}

Handle Hdf5Writer::create_dataset(const std::string& path, const StoredType& type,
                                  const std::vector<hsize_t>& sizes) {
  if (!has_file_) return {};
  const Hdf5Lock lock;
  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, action(path), path_);
  checked(H5Pset_obj_track_times(creation.get(), false), action(path), path_);
  checked(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), action(path), path_);
  checked(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), action(path), path_);
  const Handle space = own(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                           H5Sclose, action(path), path_);
  make_groups(path, action(path));
  return own(H5Dcreate2(file_.get(), path.c_str(), file_type(type).get(), space.get(),
                        link_creation_.get(), creation.get(), H5P_DEFAULT),
             H5Dclose, action(path), path_);
}

void Hdf5Writer::reserve(Index bytes) {
  // Every reservation takes longer than to write a small dataset: the next ones are part of this
  // one where the disk has room for them.
  constexpr Index ahead = Index{1} << 19;
  const Index needed = end_ + bytes + metadata_;
  if (needed <= reserved_to_) return;
  agree([&] {
    if (has_file_) check_file_size_limit(path_, needed);
    if (!communicator_.is_root()) return;
    try {
      reserved_ = reserve_space(path_, needed + ahead) == Reservation::reserved;
      reserved_to_ = needed + ahead;
    } catch (const IoError&) {
      reserved_ = reserve_space(path_, needed) == Reservation::reserved;
      reserved_to_ = needed;
    }
  });
  reserved_to_ = communicator_.broadcast(reserved_to_);
}

std::vector<IndexRange> Hdf5Writer::write_rows(std::string_view path, const StoredType& type,
                                               const DatasetShape& shape, IndexRange local,
                                               const void* data) {
  require_open();
  const std::string name = normal_path(path);
  auto ranges = agree_on_ranges(communicator_, name, type, shape, local);
  const Index bytes = shape.rows * shape.columns * static_cast<Index>(type.size());
  has_large_ = has_large_ || bytes >= least_extent;
  reserve(bytes);
  Handle dataset;
  agree([&] { dataset = create_dataset(name, type, extents(shape, shape.rows)); });
  end_ += bytes;
  metadata_ += metadata_per_object;
  if (shape.rows > 0) {
    if (parallel_) {
      write_collectively(dataset, type, shape, ranges, data);
    } else {
      write_at_root(dataset, type, shape, ranges, data);
    }
  }
  agree([&] {
    const Hdf5Lock lock;
    dataset.close(action(name), path_);
  });
  return ranges;
}

void Hdf5Writer::write_replicated(std::string_view path, const StoredType& type,
                                  const DatasetShape& shape, const void* data) {
  const Index rows = communicator_.is_root() ? shape.rows : 0;
  write_rows(path, type, shape, {shape.rows - rows, shape.rows}, data);
}

PackedStrings Hdf5Writer::write_strings(std::string_view path,
                                        std::span<const std::string> values) {
  PackedStrings packed;
  agree([&] {
    if (communicator_.is_root()) packed = pack_strings(values, path);
  });
  packed.length = communicator_.broadcast(packed.length);
  packed.rows = communicator_.broadcast(packed.rows);
  write_replicated(path, {ElementType::uint8, packed.length}, {ElementType::uint8, packed.rows, 1},
                   packed.bytes.data());
  return packed;
}

void Hdf5Writer::write_row_range(hid_t dataset, const StoredType& type, const DatasetShape& shape,
                                 IndexRange rows, const void* data) {
  auto counts = extents(shape, rows.size());
  std::vector<hsize_t> start(counts.size(), 0);
  start[0] = static_cast<hsize_t>(rows.first);
  write_region(dataset, type, start, std::move(counts), data);
}

void Hdf5Writer::write_region(hid_t dataset, const StoredType& type,
                              const std::vector<hsize_t>& start, std::vector<hsize_t> counts,
                              const void* data) {
  const bool empty = std::find(counts.begin(), counts.end(), 0) != counts.end();
  if (empty) counts.assign(counts.size(), 1);
  const Handle in_file = own(H5Dget_space(dataset), H5Sclose, "write", path_);
  const Handle in_memory =
      own(H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr), H5Sclose,
          "write", path_);
  if (empty) {  // a collective transfer requires all ranks, including those without data
    checked(H5Sselect_none(in_file.get()), "write", path_);
    checked(H5Sselect_none(in_memory.get()), "write", path_);
  } else {
    checked(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, counts.data(),
                                nullptr),
            "write", path_);
  }
  checked(H5Dwrite(dataset, memory_type(type).get(), in_memory.get(), in_file.get(),
                   transfer_.get(), data),
          "write", path_);
}

void Hdf5Writer::write_collectively(const Handle& dataset, const StoredType& type,
                                    const DatasetShape& shape,
                                    const std::vector<IndexRange>& ranges, const void* data) {
  const IndexRange local = ranges[static_cast<std::size_t>(communicator_.rank())];
  const Index step = rows_per_transfer(type, shape, /*ranks=*/1);
  Index max_rows = 0;
  for (const IndexRange& range : ranges) max_rows = std::max(max_rows, range.size());
  const std::size_t row_bytes = type.size() * static_cast<std::size_t>(shape.columns);
  for (Index done = 0; done < max_rows; done += step) {
    const IndexRange rows = intersection(local, {local.first + done, local.first + done + step});
    const char placeholder = 0;
    const void* from =
        rows.empty() ? &placeholder
                     : static_cast<const char*>(data) + static_cast<std::size_t>(done) * row_bytes;
    agree([&] {
      const Hdf5Lock lock;
      write_row_range(dataset.get(), type, shape, rows, from);
    });
  }
}

void Hdf5Writer::write_at_root(const Handle& dataset, const StoredType& type,
                               const DatasetShape& shape, const std::vector<IndexRange>& ranges,
                               const void* data) {
  const IndexRange local = ranges[static_cast<std::size_t>(communicator_.rank())];
  const std::size_t row_bytes = type.size() * static_cast<std::size_t>(shape.columns);
  // Limit the gathered data to the caches of rank 0 and the memory of small nodes.
  const Index step = std::min(
      rows_per_transfer(type, shape, /*ranks=*/1),
      std::max<Index>(
          1, static_cast<Index>(max_gathered_bytes / std::max<std::size_t>(1, row_bytes))));
  std::vector<std::byte> gathered;
  for (Index first = 0; first < shape.rows; first += step) {
    const IndexRange window{first, std::min(shape.rows, first + step)};
    const IndexRange mine = intersection(local, window);
    const char* from = mine.empty()
                           ? nullptr
                           : static_cast<const char*>(data) +
                                 static_cast<std::size_t>(mine.first - local.first) * row_bytes;
    const std::span<const char> bytes(from, static_cast<std::size_t>(mine.size()) * row_bytes);
    // A single rank, or rank 0 if it has all rows, needs no copy.
    const bool root_has_all_rows = ranges[0].size() == shape.rows;
    if (!root_has_all_rows) gather_bytes(communicator_, bytes, gathered);
    agree([&] {
      if (!has_file_) return;
      const Hdf5Lock lock;
      write_row_range(dataset.get(), type, shape, window,
                      root_has_all_rows ? static_cast<const void*>(bytes.data()) : gathered.data());
    });
  }
}

void Hdf5Writer::close(Checksums checksums) {
  require_open();
  // Flushing can run out of space; if it fails, the destructor removes the file.
  agree([&] {
    if (!has_file_) return;
    const Hdf5Lock lock;
    described_.close("write", path_);
    checked(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "write", path_);
  });
  agree([&] {
    if (!has_file_) return;
    const Hdf5Lock lock;
    file_.close("write", path_);
  });
  agree([&] {
    if (!communicator_.is_root()) return;
    release_reservation(path_);
    if (checksums == Checksums::omit) sync_file(path_);  // else with the checksums
  });
  if (checksums == Checksums::append) append_file_trailer(communicator_, path_, has_large_);
}

void Hdf5Writer::publish() {
  agree([&] {
    if (communicator_.is_root()) rename_into_place(path_, final_path_);
  });
  published_ = true;
}

}  // namespace gsim::io
