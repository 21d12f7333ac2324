#pragma once
// Writes one HDF5 file from all ranks of a communicator. With MPI every rank opens the file, and
// all data transfers and metadata writes are collective. If ranks are threads of one process, or a
// single one, or share processors (CommBackend::is_oversubscribed: parallel HDF5 makes hundreds of
// collective calls per file, in which ranks poll), rank 0 alone opens the file and receives the
// rows of the others.

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/io/object_writer.hpp"
#include "src/io/hdf5/hdf5_handle.hpp"
#include "src/io/hdf5/stored_type.hpp"
#include "src/io/hdf5/transfer_limit.hpp"
#include "src/io/hdf5/watchdog.hpp"

namespace gsim::io {

/// An open dataset of frames of equal shape.
struct FrameDataset {
  std::string path;
  StoredType type;
  std::vector<Index> shape;  ///< shape of one frame
  Handle handle;             ///< invalid on ranks that have not opened the file

  Index rows() const { return shape.empty() ? 1 : shape[0]; }
  std::size_t row_bytes() const;
};

/// Upper estimate of the bytes of an object's metadata: header, name, share of its group.
constexpr Index metadata_per_object = 4096;

/// All members except path() are collective; an error on one rank is thrown on all ranks. If HDF5
/// keeps the others in a collective call, the rank that failed throws alone after a timeout, with
/// an error that is not marked as agreed: the program has to abort all ranks.
class Hdf5Writer {
 public:
  /// Creates `path` and its folder; `final_path` is the name after publish().
  Hdf5Writer(Communicator communicator, std::string path, std::string final_path);
  /// Removes the file unless publish() was called.
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  const std::string& path() const { return path_; }
  const Communicator& communicator() const { return communicator_; }

  /// Writes this rank's rows of a dataset; returns the ranges of all ranks, which tile the rows in
  /// rank order.
  std::vector<IndexRange> write_rows(std::string_view path, const StoredType& type,
                                     const DatasetShape& shape, IndexRange local, const void* data);
  /// Writes a dataset from rank 0's copy.
  void write_replicated(std::string_view path, const StoredType& type, const DatasetShape& shape,
                        const void* data);
  /// Writes a scalar dataset from rank 0's copy.
  void write_value(std::string_view path, const StoredType& type, const void* value);
  /// Writes a column of strings from rank 0's copy; returns it packed (empty on other ranks).
  PackedStrings write_strings(std::string_view path, std::span<const std::string> values);
  /// Writes a UTF-8 string attribute of fixed length (an empty string is stored as one zero byte);
  /// replaces an existing one.
  void attribute(std::string_view path, std::string_view name, std::string_view text);
  /// Writes an attribute of any type; replaces an existing one.
  void attribute(std::string_view path, std::string_view name, const AttributeValue& value);
  /// Creates the hard link `path` to `target`.
  void link(std::string_view path, std::string_view target);

  /// Creates a dataset of `frames` frames with the given shape, whose elements are undefined until
  /// write_frames().
  FrameDataset create_frames(std::string_view path, const StoredType& type, Index frames,
                             const std::vector<Index>& shape);
  /// Writes frames [frames.first, frames.last): `data` holds this rank's rows of each, frame after
  /// frame. `ranges` are the rows of all ranks, which tile shape[0] in rank order (a frame without
  /// shape has one row).
  void write_frames(const FrameDataset& dataset, IndexRange frames,
                    const std::vector<IndexRange>& ranges, const void* data);

  enum class Checksums { append, omit };
  /// Closes the file, appends the checksum trailer (checksum_trailer.hpp) unless the caller appends
  /// it, and flushes the file to disk; the file keeps the name path().
  void close(Checksums checksums = Checksums::append);
  /// Renames the closed file to its final name.
  void publish();

 private:
  /// Runs `body` on all ranks; an error on one rank is thrown on all.
  void agree(const std::function<void()>& body);
  void create_file();
  Handle create_dataset(const std::string& path, const StoredType& type,
                        const std::vector<hsize_t>& sizes);
  /// Reserves disk space for `bytes` more of data and for all metadata so far, so that a full disk
  /// is detected before HDF5 accepts the data and not in a collective write.
  void reserve(Index bytes);
  void write_collectively(const Handle& dataset, const StoredType& type, const DatasetShape& shape,
                          const std::vector<IndexRange>& ranges, const void* data);
  void write_at_root(const Handle& dataset, const StoredType& type, const DatasetShape& shape,
                     const std::vector<IndexRange>& ranges, const void* data);
  void write_row_range(hid_t dataset, const StoredType& type, const DatasetShape& shape,
                       IndexRange rows, const void* data);
  void write_region(hid_t dataset, const StoredType& type, const std::vector<hsize_t>& start,
                    std::vector<hsize_t> counts, const void* data);
  /// Rank 0 collects the rows of all ranks and writes them, frame by frame.
  void write_frames_at_root(const FrameDataset& dataset, IndexRange frames,
                            const std::vector<IndexRange>& ranges, const char* data);
  /// Creates the missing groups above `path`.
  void make_groups(const std::string& path, const std::string& what);
  Handle open_or_make_group(const std::string& path, const std::string& what);
  void set_attribute(const std::string& path, const std::string& name, hid_t type, hid_t space,
                     const void* data);
  void require_open() const;
  /// Description of an action for error messages: "write dataset a/b to".
  std::string action(const std::string& dataset) const;

  Communicator communicator_;
  std::string path_;
  std::string final_path_;
  bool parallel_;                       ///< every rank opens the file; the same on all ranks
  bool has_file_;                       ///< this rank has opened the file
  std::unique_ptr<Watchdog> watchdog_;  ///< for collective calls, if ranks write together
  Handle file_;
  // property lists of HDF5
  Handle link_creation_;
  Handle group_creation_;
  Handle transfer_;
  /// The object that got the last attribute, which stays open for the next one, and its path.
  Handle described_;
  std::string described_path_;
  Index end_ = 0;                    ///< size of data so far in bytes
  Index metadata_ = Index{1} << 20;  ///< upper estimate of the size of HDF5's own structures
  bool reserved_ = false;            ///< the file system supports reservations
  Index reserved_to_ = 0;            ///< size up to which space was reserved
  bool has_large_ = false;           ///< a dataset has checksums of its own in the trailer
  bool published_ = false;
  bool failed_ = false;  ///< a collective step has failed; the same on all ranks
  /// Number of uncaught exceptions at construction; more in the destructor mean unwinding.
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace gsim::io
