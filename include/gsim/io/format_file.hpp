#pragma once
// HDF5 files whose layout another program prescribes: arrays of several dimensions, single values
// that are no array, attributes of any type. Written as NAME.partial and renamed, as results are.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/object_writer.hpp"

namespace gsim {

/// All members are collective; errors are those of ResultFile.
class FormatFile : public ObjectWriter {
 public:
  /// Creates `path`.partial (and the folder).
  FormatFile(Communicator communicator, const std::string& path);
  /// Without commit() the partial file is removed.
  ~FormatFile() override;

  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override;
  void attribute(std::string_view path, std::string_view name, std::string_view text) override;
  void write_strings(std::string_view path, std::span<const std::string> values) override;
  void set(std::string_view path, std::string_view name, const AttributeValue& value) override;
  void link(std::string_view path, std::string_view target) override;

  /// A dataset of these extents, slowest first (two at least); rank 0's copy is written.
  void write_array(std::string_view path, const std::vector<Index>& extents,
                   std::span<const double> values);
  /// A dataset that is one value, of no dimension; rank 0's copy is written.
  void write_value(std::string_view path, Index value);
  void write_value(std::string_view path, double value);
  void write_value(std::string_view path, const FixedLengthString& value);

  /// Closes, syncs and renames to the final name.
  void commit();

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim
