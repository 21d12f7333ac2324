#pragma once
// Writing of HDF5 objects that file formats of other programs need besides datasets and text
// attributes: attributes of other types, and hard links.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// A string that is stored with fixed length, as those of DatasetWriter::attribute() are.
struct FixedLengthString {
  std::string text;
};
/// A string that is stored with variable length: h5py returns `str` for it, where it returns bytes
/// for strings of fixed length, and some programs expect it (MDAnalysis for the units of H5MD
/// files).
struct VariableLengthString {
  std::string text;
};
/// An HDF5 object reference to the object at a path of the same file.
struct ObjectReference {
  std::string target;
};
/// One integer, arrays of integers, of real numbers and of strings (of fixed length), a string, or
/// a reference.
using AttributeValue =
    std::variant<Index, std::vector<Index>, std::vector<double>, FixedLengthString,
                 VariableLengthString, std::vector<std::string>, ObjectReference>;

/// A DatasetWriter that also writes attributes of any type and links. All calls are collective,
/// with the same arguments on every rank.
class ObjectWriter : public DatasetWriter {
 public:
  /// Writes an attribute of a dataset or group; creates the group if it does not exist.
  virtual void set(std::string_view path, std::string_view name, const AttributeValue& value) = 0;
  /// Creates the hard link `path` to the dataset or group `target`.
  virtual void link(std::string_view path, std::string_view target) = 0;
};

}  // namespace gsim
