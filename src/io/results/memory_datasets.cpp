#include "gsim/io/memory_datasets.hpp"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/hdf5/row_ranges.hpp"

namespace gsim {
namespace {

std::size_t row_bytes(const DatasetShape& shape) {
  return element_size(shape.type) * static_cast<std::size_t>(shape.columns);
}

}  // namespace

bool operator==(const MemoryDatasets::Dataset& a, const MemoryDatasets::Dataset& b) {
  return a.shape.type == b.shape.type && a.shape.rows == b.shape.rows &&
         a.shape.columns == b.shape.columns && a.bytes == b.bytes && a.strings == b.strings &&
         a.is_string == b.is_string;
}

MemoryDatasets::MemoryDatasets(Communicator communicator, Contents contents)
    : communicator_(std::move(communicator)), contents_(std::move(contents)) {}

void MemoryDatasets::insert(const std::string& path, Dataset dataset) {
  if (!contents_.datasets.emplace(path, std::move(dataset)).second) {
    throw IoError(fmt::format("dataset {} is written twice", path));
  }
}

const MemoryDatasets::Dataset& MemoryDatasets::find(std::string_view path) const {
  const auto found = contents_.datasets.find(io::normal_path(path));
  if (found == contents_.datasets.end()) throw IoError(fmt::format("no dataset {}", path));
  return found->second;
}

void MemoryDatasets::write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                                const void* data) {
  const std::string name = io::normal_path(path);
  io::agree_on_ranges(communicator_, name, {shape.type, 0}, shape, local);
  const auto size = static_cast<std::size_t>(local.size()) * row_bytes(shape);
  insert(name,
         {shape,
          communicator_.allgather(std::span<const char>(static_cast<const char*>(data), size)),
          {},
          false});
}

void MemoryDatasets::write_replicated(std::string_view path, const DatasetShape& shape,
                                      const void* data) {
  const Index rows = communicator_.is_root() ? shape.rows : 0;
  write_rows(path, shape, {shape.rows - rows, shape.rows}, data);
}

void MemoryDatasets::write_strings(std::string_view path, std::span<const std::string> values) {
  // All strings in one message, each after its length.
  std::string message;
  for (const std::string& value : values) {
    const std::uint64_t size = value.size();
    message.append(reinterpret_cast<const char*>(&size), sizeof size).append(value);
  }
  message = communicator_.broadcast(std::move(message));
  std::vector<std::string> strings;
  for (std::size_t at = 0; at < message.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, &message[at], sizeof size);
    strings.push_back(message.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  const auto rows = static_cast<Index>(strings.size());
  insert(io::normal_path(path), {{ElementType::uint8, rows, 1}, {}, std::move(strings), true});
}

void MemoryDatasets::attribute(std::string_view path, std::string_view name,
                               std::string_view text) {
  const std::string object = path.empty() || path == "/" ? "/" : io::normal_path(path);
  contents_.attributes[{object, std::string(name)}] = communicator_.broadcast(std::string(text));
}

bool MemoryDatasets::has(std::string_view path) const {
  return contents_.datasets.contains(io::normal_path(path));
}

DatasetShape MemoryDatasets::shape(std::string_view path) const { return find(path).shape; }

void MemoryDatasets::read_rows(std::string_view path, ElementType type, IndexRange local,
                               void* data) {
  communicator_.agree([&] {
    const Dataset& dataset = find(path);
    if (dataset.is_string || dataset.shape.type != type) {
      throw IoError(fmt::format("dataset {} holds {}, not {}", path,
                                dataset.is_string ? "strings" : io::name_of(dataset.shape.type),
                                io::name_of(type)));
    }
    if (local.first < 0 || local.last > dataset.shape.rows || local.last < local.first) {
      throw IoError(fmt::format("dataset {} has rows 0 to {}, not {} to {}", path,
                                dataset.shape.rows, local.first, local.last));
    }
    const std::size_t bytes = row_bytes(dataset.shape);
    if (local.empty()) return;
    std::memcpy(data, dataset.bytes.data() + static_cast<std::size_t>(local.first) * bytes,
                static_cast<std::size_t>(local.size()) * bytes);
  });
}

std::vector<std::string> MemoryDatasets::read_strings(std::string_view path) {
  const Dataset& dataset = find(path);
  if (!dataset.is_string) throw IoError(fmt::format("dataset {} holds no strings", path));
  return dataset.strings;
}

}  // namespace gsim
