#include "src/io/processes/reader_process.hpp"

#include <memory>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/files/file_system.hpp"

namespace gsim::io {
namespace {

enum class Request : Index {
  has,
  shape,
  numbers,
  block,
  extents,
  strings,
  attribute,
  has_attribute,
  attribute_texts,
  attribute_numbers,
  attribute_target,
  list,
  inspect
};

ByteStream request_of(Request request) { return ByteStream().write(static_cast<Index>(request)); }
ByteStream request_of(Request request, std::string_view a) { return request_of(request).write(a); }
ByteStream request_of(Request request, std::string_view a, std::string_view b) {
  return request_of(request).write(a).write(b);
}

/// CPU time in seconds per request: enough to decompress the whole file several times.
double max_seconds(const std::string& path) {
  constexpr double min_seconds = 10, bytes_per_second = 4e6;
  return min_seconds + static_cast<double>(file_size(path)) / bytes_per_second;
}

ByteStream read_part(const Hdf5Reader& file, ByteStream& request, Request kind) {
  const std::string dataset = request.read_text();
  const auto type = static_cast<ElementType>(request.read_index());
  std::vector<char> data;
  if (kind == Request::numbers) {
    const IndexRange rows{request.read_index(), request.read_index()};
    const Index values = rows.size() * file.shape(dataset).columns;
    data.resize(static_cast<std::size_t>(values) * element_size(type));
    file.read_numbers(dataset, type, rows, data.data());
  } else {
    const auto first = request.read_values<Index>(), count = request.read_values<Index>();
    std::size_t bytes = element_size(type);
    for (const Index n : count) bytes *= static_cast<std::size_t>(n);
    data.resize(bytes);
    file.read_block(dataset, type, first, count, data.data());
  }
  return ByteStream().write_bytes(data.data(), data.size());
}

ByteStream shape_of(const Hdf5Reader& file, const std::string& dataset) {
  const StoredShape shape = file.shape(dataset);
  return ByteStream()
      .write(static_cast<Index>(shape.type.element))
      .write(static_cast<Index>(shape.type.string_length))
      .write(shape.rows)
      .write(shape.columns);
}

ByteStream reply_with(const Hdf5Reader& file, ByteStream request) {
  const auto kind = static_cast<Request>(request.read_index());
  if (kind == Request::numbers || kind == Request::block) return read_part(file, request, kind);
  if (kind == Request::inspect) {
    const auto form = static_cast<InspectForm>(request.read_index());
    const Inspection result = inspect_open_file(file, form, request.read_text());
    return ByteStream().write(result.text).write(Index{result.is_from_gsim});
  }
  const std::string path = request.read_text();
  switch (kind) {
    case Request::has:
      return ByteStream().write(Index{file.has(path)});
    case Request::shape:
      return shape_of(file, path);
    case Request::extents:
      return ByteStream().write(std::span<const Index>(file.extents(path)));
    case Request::strings:
      return ByteStream().write(std::span<const std::string>(file.read_strings(path)));
    case Request::list:
      return ByteStream().write(std::span<const std::string>(file.list(path)));
    default:
      break;
  }
  const std::string name = request.read_text();
  switch (kind) {
    case Request::attribute:
      return ByteStream().write(file.attribute(path, name));
    case Request::has_attribute:
      return ByteStream().write(Index{file.has_attribute(path, name)});
    case Request::attribute_texts:
      return ByteStream().write(std::span<const std::string>(file.attribute_texts(path, name)));
    case Request::attribute_numbers:
      return ByteStream().write(std::span<const double>(file.attribute_numbers(path, name)));
    case Request::attribute_target:
      return ByteStream().write(file.attribute_target(path, name));
    default:
      throw Error("internal error: an unknown request");
  }
}

/// Opens the file at the first request, so that errors are sent as replies.
RequestHandler serve_file(const std::string& path) {
  return [path, file = std::shared_ptr<Hdf5Reader>()](ByteStream request) mutable {
    if (!file) file = std::make_shared<Hdf5Reader>(path);
    return reply_with(*file, std::move(request));
  };
}

}  // namespace

ReaderProcess::ReaderProcess(const std::string& path)
    : path_(path), process_(path, max_seconds(path), [&] { return serve_file(path); }) {
  process_.request(request_of(Request::has, "any"));  // throws if the file is not an HDF5 file
}

bool ReaderProcess::has(std::string_view dataset) const {
  return process_.request(request_of(Request::has, dataset)).read_index() != 0;
}

StoredShape ReaderProcess::shape(std::string_view dataset) const {
  if (const auto cached = shapes_.find(dataset); cached != shapes_.end()) return cached->second;
  ByteStream reply = process_.request(request_of(Request::shape, dataset));
  StoredShape shape;
  shape.type.element = static_cast<ElementType>(reply.read_index());
  shape.type.string_length = static_cast<std::size_t>(reply.read_index());
  shape.rows = reply.read_index();
  shape.columns = reply.read_index();
  return shapes_.emplace(dataset, shape).first->second;
}

void ReaderProcess::read_numbers(std::string_view dataset, ElementType type, IndexRange rows,
                                 void* data) const {
  const auto columns = static_cast<std::size_t>(shape(dataset).columns);
  ByteStream reply = process_.request(request_of(Request::numbers, dataset)
                                          .write(static_cast<Index>(type))
                                          .write(rows.first)
                                          .write(rows.last));
  reply.read_bytes(data, static_cast<std::size_t>(rows.size()) * columns * element_size(type));
}

void ReaderProcess::read_block(std::string_view dataset, ElementType type,
                               std::span<const Index> first, std::span<const Index> count,
                               void* data) const {
  std::size_t bytes = element_size(type);
  for (const Index n : count) bytes *= static_cast<std::size_t>(n);
  ByteStream reply = process_.request(request_of(Request::block, dataset)
                                          .write(static_cast<Index>(type))
                                          .write(first)
                                          .write(count));
  reply.read_bytes(data, bytes);
}

std::vector<Index> ReaderProcess::extents(std::string_view dataset) const {
  return process_.request(request_of(Request::extents, dataset)).read_values<Index>();
}

std::vector<std::string> ReaderProcess::read_strings(std::string_view dataset) const {
  return process_.request(request_of(Request::strings, dataset)).read_texts();
}

std::string ReaderProcess::attribute(std::string_view path, std::string_view name) const {
  return process_.request(request_of(Request::attribute, path, name)).read_text();
}

bool ReaderProcess::has_attribute(std::string_view path, std::string_view name) const {
  return process_.request(request_of(Request::has_attribute, path, name)).read_index() != 0;
}

std::vector<std::string> ReaderProcess::attribute_texts(std::string_view path,
                                                        std::string_view name) const {
  return process_.request(request_of(Request::attribute_texts, path, name)).read_texts();
}

std::vector<double> ReaderProcess::attribute_numbers(std::string_view path,
                                                     std::string_view name) const {
  return process_.request(request_of(Request::attribute_numbers, path, name)).read_values<double>();
}

std::string ReaderProcess::attribute_target(std::string_view path, std::string_view name) const {
  return process_.request(request_of(Request::attribute_target, path, name)).read_text();
}

std::vector<std::string> ReaderProcess::list(std::string_view group) const {
  return process_.request(request_of(Request::list, group)).read_texts();
}

Inspection ReaderProcess::inspect(InspectForm form, const std::string& table) const {
  ByteStream reply =
      process_.request(request_of(Request::inspect).write(static_cast<Index>(form)).write(table));
  Inspection result;
  result.text = reply.read_text();
  result.is_from_gsim = reply.read_index() != 0;
  return result;
}

}  // namespace gsim::io
