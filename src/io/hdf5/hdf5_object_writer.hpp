#pragma once
#include "gsim/io/object_writer.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"

namespace gsim::io {

/// ObjectWriter for a file that is being written by a Hdf5Writer.
class Hdf5ObjectWriter : public ObjectWriter {
 public:
  explicit Hdf5ObjectWriter(Hdf5Writer& file) : file_(file) {}
  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override {
    file_.write_rows(path, {shape.type, 0}, shape, local, data);
  }
  void attribute(std::string_view path, std::string_view name, std::string_view text) override {
    file_.attribute(path, name, text);
  }
  void write_strings(std::string_view path, std::span<const std::string> values) override {
    file_.write_strings(path, values);
  }
  void set(std::string_view path, std::string_view name, const AttributeValue& value) override {
    file_.attribute(path, name, value);
  }
  void link(std::string_view path, std::string_view target) override { file_.link(path, target); }

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override {
    file_.write_replicated(path, {shape.type, 0}, shape, data);
  }

 private:
  Hdf5Writer& file_;
};

}  // namespace gsim::io
