#include "src/modules/pricing/results/digest_writer.hpp"

#include "gsim/core/error.hpp"

namespace gsim::pricing {
namespace {

template <class T>
std::span<const T> elements(const DatasetShape& shape, const void* data) {
  return {static_cast<const T*>(data), static_cast<std::size_t>(shape.rows * shape.columns)};
}

}  // namespace

void DigestWriter::write_rows(std::string_view path, const DatasetShape&, IndexRange, const void*) {
  throw Error("internal error: no digest of the distributed dataset " + std::string(path));
}

void DigestWriter::write_strings(std::string_view path, std::span<const std::string> values) {
  digest_.add(path).add(values.size());
  for (const std::string& v : values) digest_.add(std::string_view(v));
}

void DigestWriter::write_replicated(std::string_view path, const DatasetShape& shape,
                                    const void* data) {
  digest_.add(path).add(shape.rows).add(shape.columns);
  switch (shape.type) {
    case ElementType::float64:
      digest_.add(elements<double>(shape, data));
      break;
    case ElementType::int64:
      digest_.add(elements<std::int64_t>(shape, data));
      break;
    case ElementType::uint8:
      digest_.add(elements<std::uint8_t>(shape, data));
      break;
    default:
      throw Error("internal error: no digest of datasets of this element type");
  }
}

}  // namespace gsim::pricing
