#pragma once
// Results in parallel HDF5: one file per run, written collectively as NAME.partial, flushed to
// disk, and then renamed, so that a file under the final name is always complete.
//
// A table of results is a group whose datasets are columns of equal length: "trades/name",
// "trades/price", "trades/price_error". In Python:
//   with h5py.File("run.h5") as f:
//     table = pandas.DataFrame({k: v.asstr()[:] if v.dtype.kind == "S" else v[:]
//                               for k, v in f["trades"].items()})
// Columns of strings and attributes ("unit", "description") are UTF-8 strings of fixed length, for
// which h5py returns bytes (f["provenance"].attrs["config"].decode()); datasets of several columns
// are two-dimensional. Every file ends with a trailer of checksums of the whole file, which are
// verified before anything else is read; programs that read HDF5 ignore it.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

class ResultFile : public DatasetWriter {
 public:
  /// Creates `path`.partial and its folder, collectively. IoError if that fails. Later calls throw
  /// IoError on every rank if the disk is full or a dataset is written twice; attribute() creates
  /// the group that it names if there is none, and replaces an existing attribute.
  ResultFile(Communicator communicator, const std::string& path);
  /// Removes the partial file unless commit() was called.
  ~ResultFile() override;

  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override;
  void attribute(std::string_view path, std::string_view name, std::string_view text) override;
  void write_strings(std::string_view path, std::span<const std::string> values) override;

  /// Closes and flushes the file and renames it to its final name, collectively.
  void commit();

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Opens a complete HDF5 file for reading, collectively (any number of ranks). IoError if it is not
/// a regular file, or if its checksums show damage. Files without checksums, such as those of other
/// programs, are read in a separate process (one per rank), so that a crash or an endless loop of
/// HDF5 on a damaged file also becomes an IoError.
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
  /// For files of other programs: existence of attributes; attributes with any number of strings or
  /// numbers.
  bool has_attribute(std::string_view path, std::string_view name) const;
  std::vector<std::string> attribute_texts(std::string_view path, std::string_view name) const;
  std::vector<double> attribute_numbers(std::string_view path, std::string_view name) const;
  /// The path of the object that a reference attribute points to: "particles/all".
  std::string attribute_target(std::string_view path, std::string_view name) const;
  /// The size of a dataset along each of its axes.
  std::vector<Index> extents(std::string_view path) const;
  /// Reads the block of `count` elements along each axis, starting at `first`, on every rank;
  /// nothing else is read.
  void read_block(std::string_view path, ElementType type, std::span<const Index> first,
                  std::span<const Index> count, void* data);
  /// paths of all datasets, recursively
  std::vector<std::string> list(std::string_view group = "/") const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Receives a warning: a sentence without its final period.
using WarningHandler = std::function<void(const std::string&)>;

/// The output of `gsim inspect FILE [--json]` for a result or checkpoint file: provenance, input
/// files, tables of results, datasets. In the text format long tables are truncated; in JSON tables
/// are complete, other datasets contain their values up to 1000 elements, and numbers that are not
/// finite are null. InputError if `path` is missing, damaged or not an HDF5 file. A file that
/// claims to be written by gsim but has no checksums is shown with a warning. Files without
/// checksums are read in a separate process, so that a crash or an endless loop of HDF5 becomes an
/// InputError.
std::string inspect_file(const std::string& path, bool json, const WarningHandler& warn = {});
/// The output of `gsim inspect FILE --csv TABLE`: a group whose datasets are columns of equal
/// length ("trades") as CSV, with a line of column names and numbers that read back exactly.
/// InputError as above, and if there is no such table.
std::string inspect_table(const std::string& path, const std::string& table,
                          const WarningHandler& warn = {});

/// Prevents HDF5 from closing its files at the end of the process or in MPI_Finalize; to be called
/// before MPI is initialised. Closing crashes for files that could not be closed before, for
/// example on a full disk (HDF5 1.10.8); gsim closes every file itself.
void start_hdf5();

/// The version of the HDF5 library in use: "1.10.8".
std::string hdf5_version();

}  // namespace gsim
