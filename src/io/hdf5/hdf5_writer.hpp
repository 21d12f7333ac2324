#pragma once
// Writes one HDF5 file from all ranks of a communicator: with MPI every rank opens it and all data
// transfers and metadata writes are collective; where ranks are threads of one process, or a single
// one, or share processors (CommBackend::is_oversubscribed: parallel HDF5 makes hundreds of
// collective calls for each file, in which the ranks poll), rank 0 alone holds the file and the
// others send it their rows.

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
  std::vector<Index> shape;  ///< of one frame
  Handle handle;             ///< none on ranks that do not hold the file

  Index rows() const { return shape.empty() ? 1 : shape[0]; }
  std::size_t row_bytes() const;
};

constexpr Index metadata_per_object = 4096;  ///< header, name, share of the group; generous

/// All members but path() are collective; an error on one rank is thrown on all of them. Should
/// HDF5 keep the others in a collective call, the rank that failed throws alone after a while, an
/// error that is not agreed: the program has to end all ranks.
class Hdf5Writer {
 public:
  /// Creates `path` (and its folder), which is to become `final_path`.
  Hdf5Writer(Communicator communicator, std::string path, std::string final_path);
  /// Discards the file unless publish() was called.
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  const std::string& path() const { return path_; }
  const Communicator& communicator() const { return communicator_; }

  /// This rank's rows of a dataset; returns all ranks' ranges, which tile the rows in rank order.
  std::vector<IndexRange> write_rows(std::string_view path, const StoredType& type,
                                     const DatasetShape& shape, IndexRange local, const void* data);
  /// Rank 0's copy of a dataset.
  void write_replicated(std::string_view path, const StoredType& type, const DatasetShape& shape,
                        const void* data);
  /// Rank 0's copy of a dataset that is one value, of no dimension.
  void write_value(std::string_view path, const StoredType& type, const void* value);
  /// Rank 0's copy of a column of strings; returns it packed (empty bytes on other ranks).
  PackedStrings write_strings(std::string_view path, std::span<const std::string> values);
  /// UTF-8 of fixed length (an empty text is one zero byte); replaces an older text of that name.
  void attribute(std::string_view path, std::string_view name, std::string_view text);
  /// An attribute that is no plain text; replaces an older one of that name.
  void attribute(std::string_view path, std::string_view name, const AttributeValue& value);
  /// A second name, `path`, for what is there under the name `target`.
  void link(std::string_view path, std::string_view target);

  /// A dataset of `frames` frames of the given shape, whose elements are undefined until
  /// write_frames() has been there.
  FrameDataset create_frames(std::string_view path, const StoredType& type, Index frames,
                             const std::vector<Index>& shape);
  /// Frames [frames.first, frames.last): `data` holds this rank's rows of each, frame after frame.
  /// `ranges` are all ranks' rows, which tile shape[0] in rank order (a frame without a shape is
  /// one row).
  void write_frames(const FrameDataset& dataset, IndexRange frames,
                    const std::vector<IndexRange>& ranges, const void* data);

  enum class Seal { whole, none };
  /// Closes, seals (file_seal.hpp) unless the caller does that, and makes the contents durable; the
  /// file is still under path().
  void close(Seal seal = Seal::whole);
  /// Gives the closed file its final name.
  void publish();

 private:
  void agree(const std::function<void()>& body);
  void create_file();
  Handle create_dataset(const std::string& path, const StoredType& type,
                        const std::vector<hsize_t>& sizes);
  /// Makes sure that `bytes` more of data, and all metadata so far, have their place on the disk:
  /// a full disk is met here, before HDF5 knows of the data, and not in a collective write.
  void reserve(Index bytes);
  void write_collectively(const Handle& dataset, const StoredType& type, const DatasetShape& shape,
                          const std::vector<IndexRange>& ranges, const void* data);
  void write_at_root(const Handle& dataset, const StoredType& type, const DatasetShape& shape,
                     const std::vector<IndexRange>& ranges, const void* data);
  void write_tile(hid_t dataset, const StoredType& type, const DatasetShape& shape, IndexRange rows,
                  const void* data);
  void write_region(hid_t dataset, const StoredType& type, const std::vector<hsize_t>& start,
                    std::vector<hsize_t> counts, const void* data);
  /// The rows of each frame as rank 0 writes them for all ranks.
  void write_frames_at_root(const FrameDataset& dataset, IndexRange frames,
                            const std::vector<IndexRange>& ranges, const char* data);
  /// The groups above `path`, where they are missing.
  void make_groups(const std::string& path, const std::string& what);
  Handle open_or_make_group(const std::string& path, const std::string& what);
  void set_attribute(const std::string& path, const std::string& name, hid_t type, hid_t space,
                     const void* data);
  void require_open() const;
  /// "write run.h5.partial (dataset a/b) …": what an error is about.
  std::string action(const std::string& dataset) const;

  Communicator communicator_;
  std::string path_;
  std::string final_path_;
  bool parallel_;                    ///< every rank holds the file; the same on all ranks
  bool participant_;                 ///< this rank holds the file
  std::unique_ptr<Watchdog> watch_;  ///< of collective calls, where ranks write together
  Handle file_;
  Handle link_creation_;
  Handle group_creation_;
  Handle transfer_;
  Index end_ = 0;                    ///< bytes of data so far
  Index metadata_ = Index{1} << 20;  ///< more than HDF5's own structures take
  bool reserved_ = false;            ///< the file system can reserve space
  bool published_ = false;
  bool failed_ = false;  ///< on all ranks alike
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace gsim::io
