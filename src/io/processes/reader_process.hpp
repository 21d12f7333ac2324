#pragma once
// Reads an HDF5 file without checksums, such as those of other programs, in a separate process:
// HDF5 crashes on some damaged files and loops endlessly on others.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/io/hdf5/hdf5_reader.hpp"
#include "src/io/inspect/inspect.hpp"
#include "src/io/processes/helper_process.hpp"

namespace gsim::io {

/// The members of Hdf5Reader that ResultReader needs, with the same meaning and errors. Not
/// collective.
class ReaderProcess {
 public:
  explicit ReaderProcess(const std::string& path);

  const std::string& path() const { return path_; }
  bool has(std::string_view dataset) const;
  StoredShape shape(std::string_view dataset) const;
  void read_numbers(std::string_view dataset, ElementType type, IndexRange rows, void* data) const;
  void read_block(std::string_view dataset, ElementType type, std::span<const Index> first,
                  std::span<const Index> count, void* data) const;
  std::vector<Index> extents(std::string_view dataset) const;
  std::vector<std::string> read_strings(std::string_view dataset) const;
  std::string attribute(std::string_view path, std::string_view name) const;
  bool has_attribute(std::string_view path, std::string_view name) const;
  std::vector<std::string> attribute_texts(std::string_view path, std::string_view name) const;
  std::vector<double> attribute_numbers(std::string_view path, std::string_view name) const;
  std::string attribute_target(std::string_view path, std::string_view name) const;
  std::vector<std::string> list(std::string_view group = "/") const;
  Inspection inspect(InspectForm form, const std::string& table) const;

 private:
  std::string path_;
  mutable HelperProcess process_;
  mutable std::map<std::string, StoredShape, std::less<>> shapes_;  ///< cache of received shapes
};

}  // namespace gsim::io
