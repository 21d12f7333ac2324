#pragma once
// A result file whose datasets are read as a whole, and the roles of the columns of its tables.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "src/io/hdf5/hdf5_reader.hpp"
#include "src/io/inspect/inspect.hpp"

namespace gsim::io {

/// `path`, which HDF5 may open: a complete file with gsim's checksums. InputError if it is missing,
/// damaged, or another file: not `what`.
std::string verified_path(const std::string& path,
                          const std::string& what = "a result file of gsim");

/// Elements of a dataset, row by row.
struct LoadedDataset {
  StoredShape shape;
  std::vector<std::string> texts;  ///< of strings
  std::vector<char> bytes;         ///< of numbers

  Index size() const { return shape.rows * shape.columns; }
  /// Whether element i has the same bits as element j of `other`, which has the same type.
  bool same_bits(Index i, const LoadedDataset& other, Index j) const;
  /// Element i as a number; NaN for strings.
  double number(Index i) const;
  /// Element i as a text, with few digits or exactly.
  std::string text(Index i, Digits digits) const;
};

/// A result file of gsim.
class LoadedFile {
 public:
  /// InputError if `path` is missing, damaged, or not a result file of gsim.
  explicit LoadedFile(const std::string& path, Contents contents = Contents::all);

  const FileInfo& info() const { return info_; }
  const TableInfo* find_table(const std::string& path) const;
  const DatasetInfo* find_dataset(const std::string& path) const;
  /// The dataset `path`, which exists; read at the first call, and kept.
  const LoadedDataset& load(const std::string& path) const;
  /// Removes the datasets of the table `path` from memory.
  void unload(const std::string& path) const;

 private:
  Hdf5Reader file_;
  FileInfo info_;
  mutable std::map<std::string, LoadedDataset> loaded_;
};

/// The column of `table` with the standard errors of its column `name`; empty if it has none.
std::string error_column(const TableInfo& table, const std::string& name);

/// Whether a column of `table` has standard errors.
bool has_estimates(const TableInfo& table);

/// The numbers of leading columns of `table` that may be keys: those before the first estimate;
/// text and whole numbers, and after the first of them in a table with estimates any numbers.
std::size_t possible_keys(const TableInfo& table);

/// A text for each row of `table` from its first `columns` columns: "SPX-C-100", "BANK, time 0.5".
/// A column that contains rows of another table is replaced by the keys of those rows.
std::vector<std::string> row_keys(const LoadedFile& file, const TableInfo& table,
                                  std::size_t columns);

/// The keys of all rows from the fewest leading columns that identify them; empty if none do, or if
/// there is no table.
std::vector<std::string> identifying_keys(const LoadedFile& file, const TableInfo* table);

/// Whether no two texts are equal.
bool all_different(std::vector<std::string> texts);

}  // namespace gsim::io
