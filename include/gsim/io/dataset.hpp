#pragma once
// Named, typed, globally indexed datasets: the common interface to results, checkpoints and state
// held in memory. A dataset is a table of `rows` x `columns` elements; every rank writes or reads a
// contiguous range of rows, which may be empty. All calls are collective.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gsim/core/element_type.hpp"
#include "gsim/core/types.hpp"

namespace gsim {

/// Shape and type of a stored dataset.
struct DatasetShape {
  ElementType type = ElementType::float64;
  Index rows = 0;
  Index columns = 1;
};

/// Interface for writing datasets. Paths have the form "trades/price"; groups are created as
/// needed.
class DatasetWriter {
 public:
  virtual ~DatasetWriter() = default;
  /// Writes this rank's rows [local.first, local.last) of dataset `path`; the ranges of the ranks
  /// must tile [0, shape.rows) in rank order. `data` holds local.size() * columns elements.
  virtual void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                          const void* data) = 0;
  /// Writes a text attribute of a dataset or group ("unit", "description"); same arguments on every
  /// rank.
  virtual void attribute(std::string_view path, std::string_view name, std::string_view text) = 0;
  /// Writes a column of strings. Every rank passes all of them; they are stored once.
  virtual void write_strings(std::string_view path, std::span<const std::string> values) = 0;

  /// Writes a dataset that every rank holds completely: the copy of rank 0 is stored.
  template <class T>
  void write(std::string_view path, std::span<const T> values, Index columns = 1) {
    write_replicated(path,
                     {element_type<T>(), static_cast<Index>(values.size()) / columns, columns},
                     values.data());
  }
  template <class T>
  void write(std::string_view path, const std::vector<T>& values, Index columns = 1) {
    write(path, std::span<const T>(values), columns);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void write(std::string_view path, T value) { write(path, std::span<const T>(&value, 1)); }
  /// Writes this rank's part of a distributed dataset.
  template <class T>
  void write_rows(std::string_view path, std::span<const T> mine, IndexRange local,
                  Index global_rows, Index columns = 1) {
    write_rows(path, DatasetShape{element_type<T>(), global_rows, columns}, local,
               static_cast<const void*>(mine.data()));
  }

 protected:
  virtual void write_replicated(std::string_view path, const DatasetShape& shape,
                                const void* data) = 0;
};

/// Interface for reading datasets. A missing dataset or a wrong type is an IoError that names it.
class DatasetReader {
 public:
  virtual ~DatasetReader() = default;
  virtual bool has(std::string_view path) const = 0;
  virtual DatasetShape shape(std::string_view path) const = 0;
  /// Reads rows [local.first, local.last) into `data`; ranks may read different rows.
  virtual void read_rows(std::string_view path, ElementType type, IndexRange local, void* data) = 0;
  virtual std::vector<std::string> read_strings(std::string_view path) = 0;

  /// Reads all rows on every rank.
  template <class T>
  std::vector<T> read(std::string_view path) {
    const DatasetShape s = shape(path);
    std::vector<T> values(static_cast<std::size_t>(s.rows * s.columns));
    read_rows(path, element_type<T>(), {0, s.rows}, values.data());
    return values;
  }
  template <class T>
  std::vector<T> read_rows(std::string_view path, IndexRange local) {
    const DatasetShape s = shape(path);
    std::vector<T> values(static_cast<std::size_t>(local.size() * s.columns));
    read_rows(path, element_type<T>(), local, values.data());
    return values;
  }
  template <class T>
  T read_value(std::string_view path) {
    return read<T>(path).at(0);
  }
};

}  // namespace gsim
