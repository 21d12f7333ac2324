#include "gsim/io/format_file.hpp"

#include <string>
#include <utility>

#include "gsim/core/error.hpp"
#include "src/io/hdf5/hdf5_object_writer.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"

namespace gsim {

struct FormatFile::Impl {
  io::Hdf5Writer file;
  io::Hdf5ObjectWriter objects{file};
};

FormatFile::FormatFile(Communicator communicator, const std::string& path)
    : impl_(new Impl{{std::move(communicator), path + ".partial", path}}) {}

FormatFile::~FormatFile() = default;

void FormatFile::write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                            const void* data) {
  impl_->objects.write_rows(path, shape, local, data);
}

void FormatFile::write_replicated(std::string_view path, const DatasetShape& shape,
                                  const void* data) {
  impl_->file.write_replicated(path, {shape.type, 0}, shape, data);
}

void FormatFile::attribute(std::string_view path, std::string_view name, std::string_view text) {
  impl_->objects.attribute(path, name, text);
}

void FormatFile::write_strings(std::string_view path, std::span<const std::string> values) {
  impl_->objects.write_strings(path, values);
}

void FormatFile::set(std::string_view path, std::string_view name, const AttributeValue& value) {
  impl_->objects.set(path, name, value);
}

void FormatFile::link(std::string_view path, std::string_view target) {
  impl_->objects.link(path, target);
}

void FormatFile::write_array(std::string_view path, const std::vector<Index>& extents,
                             std::span<const double> values) {
  GSIM_EXPECT(extents.size() >= 2);
  const std::vector<Index> frame(extents.begin() + 1, extents.end());
  io::Hdf5Writer& file = impl_->file;
  io::FrameDataset dataset = file.create_frames(path, {ElementType::float64, 0}, extents[0], frame);
  const auto ranks = static_cast<std::size_t>(file.communicator().size());
  std::vector<IndexRange> rows(ranks, {dataset.rows(), dataset.rows()});
  rows[0] = {0, dataset.rows()};
  file.write_frames(dataset, {0, extents[0]}, rows, values.data());
  file.communicator().agree([&] {
    const io::Hdf5Lock lock;
    dataset.handle.close("write dataset " + dataset.path + " to", file.path());
  });
}

void FormatFile::write_value(std::string_view path, Index value) {
  impl_->file.write_value(path, {ElementType::int64, 0}, &value);
}
void FormatFile::write_value(std::string_view path, double value) {
  impl_->file.write_value(path, {ElementType::float64, 0}, &value);
}
void FormatFile::write_value(std::string_view path, const FixedLengthString& value) {
  const std::string text = value.text.empty() ? std::string(1, '\0') : value.text;
  impl_->file.write_value(path, {ElementType::uint8, text.size()}, text.data());
}

void FormatFile::commit() {
  impl_->file.close();
  impl_->file.publish();
}

}  // namespace gsim
