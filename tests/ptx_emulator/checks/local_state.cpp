#include "checks/local_state.hpp"

#include <algorithm>
#include <bit>

namespace ptxemu {

void LocalState::begin_function(std::uint32_t lanes, std::uint32_t base, std::uint32_t size) {
  for (; lanes != 0; lanes &= lanes - 1) {
    std::vector<bool>& lane = written_[std::countr_zero(lanes)];
    lane.resize(std::max<std::size_t>(lane.size(), std::size_t{base} + size));
    std::fill_n(lane.begin() + base, size, false);
  }
}

void LocalState::write(int lane, std::uint64_t offset, std::uint64_t size, bool written) {
  std::vector<bool>& bytes = written_[lane];
  if (offset + size <= bytes.size())
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), size, written);
}

bool LocalState::any_written(int lane, std::uint64_t offset, std::uint64_t size) const {
  const std::vector<bool>& bytes = written_[lane];
  for (std::uint64_t n = offset; n < offset + size; ++n)
    if (n >= bytes.size() || bytes[n]) return true;  // accesses out of bounds are other faults
  return false;
}

void LocalState::copy(std::uint32_t lanes, std::uint32_t to, std::uint32_t from,
                      std::uint32_t size) {
  for (; lanes != 0; lanes &= lanes - 1) {
    std::vector<bool>& bytes = written_[std::countr_zero(lanes)];
    for (std::uint32_t n = 0; n < size; ++n) bytes[to + n] = bytes[from + n];
  }
}

}  // namespace ptxemu
