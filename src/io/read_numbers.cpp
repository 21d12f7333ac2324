#include "gsim/io/read_numbers.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim {

std::vector<double> read_numbers(DatasetReader& file, std::string_view path, IndexRange rows) {
  const auto convert = [&]<class T>(T) {
    const auto values = file.read_rows<T>(path, rows);
    return std::vector<double>(values.begin(), values.end());
  };
  switch (file.shape(path).type) {
    case ElementType::float64:
      return convert(double{});
    case ElementType::float32:
      return convert(float{});
    case ElementType::int64:
      return convert(std::int64_t{});
    case ElementType::uint64:
      return convert(std::uint64_t{});
    case ElementType::int32:
      return convert(std::int32_t{});
    case ElementType::uint32:
      return convert(std::uint32_t{});
    case ElementType::uint8:
      return convert(std::uint8_t{});
  }
  throw IoError(fmt::format("{} has an unknown type", path));
}

std::vector<double> read_numbers(DatasetReader& file, std::string_view path) {
  return read_numbers(file, path, {0, file.shape(path).rows});
}

}  // namespace gsim
