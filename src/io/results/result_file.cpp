#include "gsim/io/result_file.hpp"

#include <optional>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"
#include "src/io/processes/reader_process.hpp"

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
  std::optional<io::Hdf5Reader> verified_reader = {};
  std::optional<io::ReaderProcess> process_reader = {};

  /// Calls read(file) with the reader in use.
  template <class Read>
  auto with_reader(const Read& read) const {
    return verified_reader ? read(*verified_reader) : read(*process_reader);
  }
  /// Calls read(file) on every rank; an error of one rank is thrown on all.
  template <class Read>
  void agree(const Read& read) const {
    communicator.agree([&] { with_reader(read); });
  }
};

ResultReader::ResultReader(Communicator communicator, const std::string& path)
    : impl_(new Impl{std::move(communicator)}) {
  const Communicator& comm = impl_->communicator;
  comm.agree([&] {
    if (const std::string reason = regular_file_problem(path); !reason.empty())
      throw IoError(fmt::format("cannot read {}: {}", path, reason));
  });
  const io::ChecksumResult result = io::verify_checksums(comm, path);
  comm.agree([&] {
    if (!result.damage.empty())
      throw IoError(fmt::format("cannot read {}: it {}", path, result.damage));
    // A file with valid checksums is safe to parse in this process; any other file is parsed in a
    // helper process, which malformed HDF5 data may crash.
    result.kind ? void(impl_->verified_reader.emplace(path))
                : void(impl_->process_reader.emplace(path));
  });
}

ResultReader::~ResultReader() = default;

bool ResultReader::has(std::string_view path) const {
  return impl_->with_reader([&](const auto& file) { return file.has(path); });
}

DatasetShape ResultReader::shape(std::string_view path) const {
  const io::StoredShape stored =
      impl_->with_reader([&](const auto& file) { return file.shape(path); });
  return {stored.type.element, stored.rows, stored.columns};
}

void ResultReader::read_rows(std::string_view path, ElementType type, IndexRange local,
                             void* data) {
  impl_->agree([&](const auto& file) { file.read_numbers(path, type, local, data); });
}

std::vector<std::string> ResultReader::read_strings(std::string_view path) {
  std::vector<std::string> values;
  impl_->agree([&](const auto& file) { values = file.read_strings(path); });
  return values;
}

std::string ResultReader::attribute(std::string_view path, std::string_view name) const {
  return impl_->with_reader([&](const auto& file) { return file.attribute(path, name); });
}

bool ResultReader::has_attribute(std::string_view path, std::string_view name) const {
  return impl_->with_reader([&](const auto& file) { return file.has_attribute(path, name); });
}

std::vector<std::string> ResultReader::attribute_texts(std::string_view path,
                                                       std::string_view name) const {
  return impl_->with_reader([&](const auto& file) { return file.attribute_texts(path, name); });
}

std::vector<double> ResultReader::attribute_numbers(std::string_view path,
                                                    std::string_view name) const {
  return impl_->with_reader([&](const auto& file) { return file.attribute_numbers(path, name); });
}

std::string ResultReader::attribute_target(std::string_view path, std::string_view name) const {
  return impl_->with_reader([&](const auto& file) { return file.attribute_target(path, name); });
}

std::vector<Index> ResultReader::extents(std::string_view path) const {
  return impl_->with_reader([&](const auto& file) { return file.extents(path); });
}

void ResultReader::read_block(std::string_view path, ElementType type, std::span<const Index> first,
                              std::span<const Index> count, void* data) {
  impl_->agree([&](const auto& file) { file.read_block(path, type, first, count, data); });
}

std::vector<std::string> ResultReader::list(std::string_view group) const {
  return impl_->with_reader([&](const auto& file) { return file.list(group); });
}

}  // namespace gsim
