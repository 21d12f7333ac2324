#pragma once
// The contents of all datasets of a file, for comparing files. The bytes of files may differ,
// because HDF5 leaves unused space in its structures uninitialised.

#include <map>
#include <string>

#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::test {

/// Maps the path of each dataset to its type, its shape and its bytes.
inline std::map<std::string, std::string> dump_datasets(const std::string& path) {
  ResultReader file(Communicator::self(), path);
  std::map<std::string, std::string> result;
  for (const auto& name : file.list()) {
    const DatasetShape shape = file.shape(name);
    std::string text = std::to_string(static_cast<int>(shape.type)) + " " +
                       std::to_string(shape.rows) + " " + std::to_string(shape.columns) + ":";
    std::string bytes(
        static_cast<std::size_t>(shape.rows * shape.columns) * element_size(shape.type), '\0');
    try {
      file.read_rows(name, shape.type, {0, shape.rows}, bytes.data());
      text += bytes;
    } catch (const IoError&) {  // a dataset of strings
      for (const auto& value : file.read_strings(name)) text += value + "\n";
    }
    result[name] = text;
  }
  return result;
}

}  // namespace gsim::test
