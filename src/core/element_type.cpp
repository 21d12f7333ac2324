#include "gsim/core/element_type.hpp"

#include "gsim/core/error.hpp"

namespace gsim {

std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::float64:
    case ElementType::int64:
    case ElementType::uint64:
      return 8;
    case ElementType::float32:
    case ElementType::int32:
    case ElementType::uint32:
      return 4;
    case ElementType::uint8:
      return 1;
  }
  throw Error("internal error: unknown element type");
}

}  // namespace gsim
