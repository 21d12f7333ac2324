#pragma once
// Reads one HDF5 file in one process. Every rank opens the file itself and reads its own rows: no
// rank waits for another, and the numbers of ranks that wrote and read a file are independent.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "src/io/hdf5/hdf5_handle.hpp"
#include "src/io/hdf5/stored_type.hpp"

namespace gsim::io {

/// Shape and type of a dataset in a file.
struct StoredShape {
  StoredType type;
  Index rows = 0;
  Index columns = 1;
};

/// Not collective. Errors are IoErrors that name file and dataset.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::string path);

  const std::string& path() const { return path_; }
  bool has(std::string_view dataset) const;
  StoredShape shape(std::string_view dataset) const;
  /// Reads rows [rows.first, rows.last); `type` must be the stored type.
  void read(std::string_view dataset, const StoredType& type, IndexRange rows, void* data) const;
  /// Sizes of a dataset along all axes; empty for a scalar.
  std::vector<Index> extents(std::string_view dataset) const;
  /// Reads frames [frames.first, frames.last): of a dataset [T][N][…] the rows [rows.first,
  /// rows.last), complete along all further axes; of a dataset [T] the elements. `type` must be the
  /// stored type.
  void read_frames(std::string_view dataset, const StoredType& type, IndexRange frames,
                   IndexRange rows, void* data) const;
  /// Reads a block of numbers: `count` elements along each axis, starting at `first`. Another
  /// stored type than `type` is an error.
  void read_block(std::string_view dataset, ElementType type, std::span<const Index> first,
                  std::span<const Index> count, void* data) const;
  /// Reads numbers; another stored type than `type` is an error.
  void read_numbers(std::string_view dataset, ElementType type, IndexRange rows, void* data) const;
  std::vector<std::string> read_strings(std::string_view dataset) const;
  /// A text attribute of a dataset or group ("/" the root).
  std::string attribute(std::string_view path, std::string_view name) const;
  bool has_attribute(std::string_view path, std::string_view name) const;
  /// An attribute with one or more strings, or numbers.
  std::vector<std::string> attribute_texts(std::string_view path, std::string_view name) const;
  std::vector<double> attribute_numbers(std::string_view path, std::string_view name) const;
  /// The path of the object that a reference attribute points to ("particles/all").
  std::string attribute_target(std::string_view path, std::string_view name) const;
  /// All text attributes, sorted by name; others are ignored.
  std::vector<std::pair<std::string, std::string>> attributes(std::string_view path) const;
  /// Paths of all datasets below `group`, sorted by name.
  std::vector<std::string> list(std::string_view group = "/") const;
  /// Names of the direct members of a group, in creation order if the file stores it.
  std::vector<std::string> children(std::string_view group) const;
  /// Whether the group exists.
  bool has_group(std::string_view group) const;
  /// Offset of the dataset's data in the file; -1 if it has none or is not contiguous.
  Index offset(std::string_view dataset) const;

  template <class T>
  std::vector<T> read_all(std::string_view dataset) const {
    const StoredShape s = shape(dataset);
    std::vector<T> values(static_cast<std::size_t>(s.rows * s.columns));
    read_numbers(dataset, element_type<T>(), {0, s.rows}, values.data());
    return values;
  }

 private:
  /// The open dataset, whose name is normal_path(); it stays open until another one is opened.
  /// IoError if there is none.
  const Handle& open_dataset(const std::string& dataset) const;
  /// Opens a dataset as open_dataset() does; false if there is none.
  bool try_open_dataset(const std::string& dataset) const;
  std::vector<Index> sizes_of(const Handle& dataset, const std::string& name) const;
  /// Reads the block of `count` elements along each axis, starting at `start`; a scalar has no
  /// axes.
  void read_part(const Handle& dataset, const std::string& name, const StoredType& type,
                 const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
                 void* data) const;
  /// The stored type of a dataset; throws unless it holds numbers of type `required`.
  StoredType type_of_numbers(std::string_view dataset, ElementType required) const;
  bool exists(const std::string& object) const;
  Handle open_object(std::string_view path) const;
  struct OpenAttribute {
    Handle attribute, type;
    std::size_t count = 0;  ///< number of elements
  };
  OpenAttribute open_attribute(std::string_view path, std::string_view name) const;
  std::string text_of(hid_t object, const std::string& name) const;
  /// Description of an action for error messages: "read dataset a/b of".
  std::string read_action(std::string_view dataset) const;

  std::string path_;
  Handle file_;
  // The dataset used last: its shape, offset and rows are read one after the other. To find a name
  // takes HDF5 longer than to read a small dataset.
  mutable std::string open_name_;
  mutable Handle open_;
};

}  // namespace gsim::io
