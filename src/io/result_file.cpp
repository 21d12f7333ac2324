#include "gsim/io/result_file.hpp"

#include "file_system.hpp"
#include "hdf5_reader.hpp"
#include "hdf5_writer.hpp"

namespace gsim {

struct ResultFile::Impl {
  io::Hdf5Writer file;
};

ResultFile::ResultFile(Communicator communicator, const std::string& path)
    : impl_(new Impl{{std::move(communicator), path + ".partial", path}}) {}

ResultFile::~ResultFile() = default;

void ResultFile::write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                            const void* data) {
  impl_->file.write_rows(path, {shape.type, 0}, shape, local, data);
}

void ResultFile::write_replicated(std::string_view path, const DatasetShape& shape,
                                  const void* data) {
  impl_->file.write_replicated(path, {shape.type, 0}, shape, data);
}

void ResultFile::attribute(std::string_view path, std::string_view name, std::string_view text) {
  impl_->file.attribute(path, name, text);
}

void ResultFile::write_strings(std::string_view path, std::span<const std::string> values) {
  impl_->file.write_strings(path, values);
}

void ResultFile::commit() {
  impl_->file.close();
  impl_->file.publish();
}

struct ResultReader::Impl {
  Communicator communicator;
  std::unique_ptr<io::Hdf5Reader> file;

  template <class Body>
  void agree(const Body& body) const {
    communicator.agree(body);
  }
};

ResultReader::ResultReader(Communicator communicator, const std::string& path)
    : impl_(new Impl{std::move(communicator), nullptr}) {
  impl_->communicator.agree([&] { impl_->file = std::make_unique<io::Hdf5Reader>(path); });
}

ResultReader::~ResultReader() = default;

bool ResultReader::has(std::string_view path) const { return impl_->file->has(path); }

DatasetShape ResultReader::shape(std::string_view path) const {
  const io::StoredShape stored = impl_->file->shape(path);
  return {stored.type.element, stored.rows, stored.columns};
}

void ResultReader::read_rows(std::string_view path, ElementType type, IndexRange local,
                             void* data) {
  impl_->agree([&] { impl_->file->read_numbers(path, type, local, data); });
}

std::vector<std::string> ResultReader::read_strings(std::string_view path) {
  std::vector<std::string> values;
  impl_->agree([&] { values = impl_->file->read_strings(path); });
  return values;
}

std::string ResultReader::attribute(std::string_view path, std::string_view name) const {
  return impl_->file->attribute(path, name);
}

bool ResultReader::has_attribute(std::string_view path, std::string_view name) const {
  return impl_->file->has_attribute(path, name);
}

std::vector<std::string> ResultReader::attribute_texts(std::string_view path,
                                                       std::string_view name) const {
  return impl_->file->attribute_texts(path, name);
}

std::vector<double> ResultReader::attribute_numbers(std::string_view path,
                                                    std::string_view name) const {
  return impl_->file->attribute_numbers(path, name);
}

std::string ResultReader::attribute_target(std::string_view path, std::string_view name) const {
  return impl_->file->attribute_target(path, name);
}

std::vector<Index> ResultReader::extents(std::string_view path) const {
  return impl_->file->extents(path);
}

void ResultReader::read_block(std::string_view path, ElementType type, std::span<const Index> first,
                              std::span<const Index> count, void* data) {
  impl_->agree([&] { impl_->file->read_block(path, type, first, count, data); });
}

std::vector<std::string> ResultReader::list(std::string_view group) const {
  return impl_->file->list(group);
}

}  // namespace gsim
