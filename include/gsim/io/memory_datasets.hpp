#pragma once
// Datasets held in memory: a DatasetWriter and DatasetReader without a file, for tests of save()
// and restore() of modules on different numbers of ranks, and for snapshots.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// Every rank holds every dataset completely. Errors are the same as for files: a missing dataset,
/// a wrong type, rows that do not tile the dataset, a dataset written twice.
class MemoryDatasets : public DatasetWriter, public DatasetReader {
 public:
  /// The rows of a dataset as bytes in native byte order, or a column of strings.
  struct Dataset {
    DatasetShape shape;
    std::vector<char> bytes;
    std::vector<std::string> strings;
    bool is_string = false;
    /// Whether type, shape and bits are equal.
    friend bool operator==(const Dataset& a, const Dataset& b);
  };
  /// All data that were written; may be passed to a run with another number of ranks. Contents
  /// compare equal if all bits are equal.
  struct Contents {
    std::map<std::string, Dataset> datasets;
    std::map<std::pair<std::string, std::string>, std::string> attributes;  ///< (path, name) → text
    friend bool operator==(const Contents&, const Contents&) = default;
  };

  explicit MemoryDatasets(Communicator communicator, Contents contents = {});
  const Contents& contents() const { return contents_; }

  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override;
  void attribute(std::string_view path, std::string_view name, std::string_view text) override;
  void write_strings(std::string_view path, std::span<const std::string> values) override;

  bool has(std::string_view path) const override;
  DatasetShape shape(std::string_view path) const override;
  using DatasetReader::read_rows;
  void read_rows(std::string_view path, ElementType type, IndexRange local, void* data) override;
  std::vector<std::string> read_strings(std::string_view path) override;

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override;

 private:
  void insert(const std::string& path, Dataset dataset);
  const Dataset& find(std::string_view path) const;

  Communicator communicator_;
  Contents contents_;
};

}  // namespace gsim
