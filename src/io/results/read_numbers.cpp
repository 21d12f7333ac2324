#include "gsim/io/read_numbers.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim {

namespace {

/// Calls read(T{}) for the type T of the stored numbers and converts the returned vector to double.
template <class Read>
std::vector<double> as_doubles(const DatasetReader& file, std::string_view path, const Read& read) {
  const auto convert = [&]<class T>(T zero) {
    const std::vector<T> values = read(zero);
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

}  // namespace

std::vector<double> read_numbers(DatasetReader& file, std::string_view path, IndexRange rows) {
  return as_doubles(file, path, [&]<class T>(T) { return file.read_rows<T>(path, rows); });
}

std::vector<double> read_numbers(ResultReader& file, std::string_view path,
                                 std::span<const Index> first, std::span<const Index> count) {
  Index size = 1;
  for (const Index n : count) size *= n;
  return as_doubles(file, path, [&]<class T>(T) {
    std::vector<T> values(static_cast<std::size_t>(size));
    file.read_block(path, element_type<T>(), first, count, values.data());
    return values;
  });
}

std::vector<double> read_numbers(DatasetReader& file, std::string_view path) {
  return read_numbers(file, path, {0, file.shape(path).rows});
}

}  // namespace gsim
