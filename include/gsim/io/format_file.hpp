#pragma once
// HDF5 files whose layout is defined by another program: arrays of several dimensions, scalars,
// attributes of any type. They are written as NAME.partial and renamed, like results.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/object_writer.hpp"

namespace gsim {

/// All members are collective. Errors are those of ResultFile.
class FormatFile : public ObjectWriter {
 public:
  /// Creates `path`.partial and its folder.
  FormatFile(Communicator communicator, const std::string& path);
  /// Removes the partial file unless commit() was called.
  ~FormatFile() override;

  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override;
  void attribute(std::string_view path, std::string_view name, std::string_view text) override;
  void write_strings(std::string_view path, std::span<const std::string> values) override;
  void set(std::string_view path, std::string_view name, const AttributeValue& value) override;
  void link(std::string_view path, std::string_view target) override;

  /// Writes a dataset with these extents, slowest dimension first (at least two dimensions); the
  /// copy of rank 0 is stored.
  void write_array(std::string_view path, const std::vector<Index>& extents,
                   std::span<const double> values);
  /// Writes a scalar dataset; the copy of rank 0 is stored.
  void write_value(std::string_view path, Index value);
  void write_value(std::string_view path, double value);
  void write_value(std::string_view path, const FixedLengthString& value);

  /// Closes and flushes the file and renames it to its final name.
  void commit();

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim
