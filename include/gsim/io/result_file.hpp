#pragma once
// Results in parallel HDF5: one file a run, written collectively as NAME.partial, flushed to disk,
// then renamed. A reader never meets a half-written file under the final name.
//
// A table of results is a group whose datasets are columns of equal length: "trades/name",
// "trades/price", "trades/price_error". In Python:
//   with h5py.File("run.h5") as f:
//     table = pandas.DataFrame({k: v.asstr()[:] if v.dtype.kind == "S" else v[:]
//                               for k, v in f["trades"].items()})
// Columns of strings and attributes ("unit", "description") are fixed-length UTF-8, for which h5py
// gives bytes (f["provenance"].attrs["config"].decode()); datasets of several columns are
// two-dimensional. Every file ends with a seal, digests over the whole of it, which is checked
// before anything else of the file is read; programs that read HDF5 pass over it.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

class ResultFile : public DatasetWriter {
 public:
  /// Creates `path`.partial (and the folder), collectively. IoError when that fails. Later calls
  /// throw IoError on every rank when the disk is full or a dataset is written twice; attribute()
  /// makes the group it names when there is none, and replaces an older text.
  ResultFile(Communicator communicator, const std::string& path);
  /// Without commit() the partial file is removed.
  ~ResultFile() override;

  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override;
  void attribute(std::string_view path, std::string_view name, std::string_view text) override;
  void write_strings(std::string_view path, std::span<const std::string> values) override;

  /// Closes, syncs and renames to the final name, collectively.
  void commit();

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Opens a finished HDF5 file for reading, collectively (any number of ranks). IoError when it is
/// no regular file, or damaged as far as its seal can tell. What bears no seal, as the files of
/// other programs, is read in a process of its own (one a rank), so that HDF5's crash on a damaged
/// file, or its coming to no end, is an IoError, too.
class ResultReader : public DatasetReader {
 public:
  ResultReader(Communicator communicator, const std::string& path);
  ~ResultReader() override;
  bool has(std::string_view path) const override;
  DatasetShape shape(std::string_view path) const override;
  using DatasetReader::read_rows;
  void read_rows(std::string_view path, ElementType type, IndexRange local, void* data) override;
  std::vector<std::string> read_strings(std::string_view path) override;
  std::string attribute(std::string_view path, std::string_view name) const;
  /// For files of other programs: what is there, its sizes along all axes, attributes of any number
  /// of texts or numbers, or of one reference.
  bool has_attribute(std::string_view path, std::string_view name) const;
  std::vector<std::string> attribute_texts(std::string_view path, std::string_view name) const;
  std::vector<double> attribute_numbers(std::string_view path, std::string_view name) const;
  /// The path of the object that an attribute refers to: "particles/all".
  std::string attribute_target(std::string_view path, std::string_view name) const;
  std::vector<Index> extents(std::string_view path) const;
  /// The block of `count` elements along each axis from `first` on, which every rank gets; nothing
  /// else is read.
  void read_block(std::string_view path, ElementType type, std::span<const Index> first,
                  std::span<const Index> count, void* data);
  std::vector<std::string> list(std::string_view group = "/") const;  ///< dataset paths, recursive

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Takes a warning, a sentence without its end.
using WarningHandler = std::function<void(const std::string&)>;

/// What `gsim inspect FILE [--json]` prints of a result or checkpoint file: provenance, input
/// files, tables of results, datasets. As text long tables are cut; as JSON tables are complete,
/// other datasets have their values up to 1000 elements, and numbers that are not finite are null.
/// InputError when `path` is missing, damaged or no HDF5 file. A file that says that gsim wrote it
/// and bears no seal is shown, with a warning. Files without a seal are read in a process of their
/// own, so that one on which HDF5 crashes, or comes to no end, is an InputError, too.
std::string inspect_file(const std::string& path, bool json, const WarningHandler& warn = {});
/// What `gsim inspect FILE --csv TABLE` prints: a group whose datasets are columns of equal length
/// ("trades") as CSV, a line of column names first, numbers so that they read back exactly.
/// InputError as above, and when there is no such table.
std::string inspect_table(const std::string& path, const std::string& table,
                          const WarningHandler& warn = {});

/// For programs, before MPI starts: HDF5 shall not end itself with the process, or with MPI. Its
/// ending goes through files whose closing failed, as on a full disk, and crashes (1.10.8); gsim
/// closes every file itself.
void start_hdf5();

/// Version of the HDF5 library in use: "1.10.8".
std::string hdf5_version();

}  // namespace gsim
