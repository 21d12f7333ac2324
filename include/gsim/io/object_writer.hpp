#pragma once
// What files of a given format need besides datasets and texts: attributes of other types, and
// second names.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// A text that is stored with a fixed length, as those of DatasetWriter::attribute() are.
struct FixedLengthString {
  std::string text;
};
/// A text that is stored with a variable length: h5py gives `str` for it, where it gives bytes for
/// others, and some programs compare it as such (MDAnalysis the units of H5MD files).
struct VariableLengthString {
  std::string text;
};
/// A reference to the object at a path of the same file.
struct ObjectReference {
  std::string target;
};
/// One whole number, arrays of whole numbers, of real numbers and of texts (of fixed length).
using AttributeValue =
    std::variant<Index, std::vector<Index>, std::vector<double>, FixedLengthString,
                 VariableLengthString, std::vector<std::string>, ObjectReference>;

/// A DatasetWriter for a file of a given format. All calls are collective, with the same arguments
/// on every rank.
class ObjectWriter : public DatasetWriter {
 public:
  /// An attribute of a dataset or group, which is made where there is none.
  virtual void set(std::string_view path, std::string_view name, const AttributeValue& value) = 0;
  /// A second name, `path`, for the dataset or group `target` (a hard link).
  virtual void link(std::string_view path, std::string_view target) = 0;
};

}  // namespace gsim
