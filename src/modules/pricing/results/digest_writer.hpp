#pragma once
// A 64-bit digest of datasets: the writer hashes the data instead of storing it.

#include <cstdint>

#include "gsim/core/digest.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim::pricing {

/// Digest of paths, shapes and elements, in the order of writing. Only for datasets that every rank
/// holds completely.
class DigestWriter : public DatasetWriter {
 public:
  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override;
  void attribute(std::string_view, std::string_view, std::string_view) override {}
  void write_strings(std::string_view path, std::span<const std::string> values) override;
  std::uint64_t value() const { return digest_.value(); }

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override;

 private:
  Digest digest_;
};

}  // namespace gsim::pricing
