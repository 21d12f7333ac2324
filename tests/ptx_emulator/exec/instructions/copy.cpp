// cp.async from global to shared memory. The copy is made at once, so that waiting for it needs no
// action.

#include "exec/address.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

/// d is the size of the copy, b the slot of the source address, extra its offset, c the slot of the
/// number of bytes to read; the remaining bytes become zero.
template <int size>
void run_copy(Warp& warp, const Op& op) {
  std::uint64_t to[warp_size];
  generic_addresses(warp, op, to);
  const std::uint64_t* const from = warp.at<std::uint64_t>(op.b);
  const std::uint32_t* const read = warp.at<std::uint32_t>(op.c);
  const auto offset = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(op.extra)});
  each_lane(warp, [&](int n) {
    std::byte bytes[static_cast<std::size_t>(size)] = {};
    const std::uint32_t count = read[n];
    if (count > size) {
      warp.lane = n;
      throw Fault(Fault::Kind::illegal_instruction, "the source is larger than the copy");
    }
    const std::uint64_t address = from[n] + offset;
    if (count == size) {
      std::memcpy(bytes, warp.generic<size, false>(n, address), size);
    } else {
      for (std::uint32_t k = 0; k < count; ++k) bytes[k] = *warp.generic<1, false>(n, address + k);
    }
    std::memcpy(warp.generic<size, true>(n, to[n]), bytes, size);
  });
}

}  // namespace

void select_copy(Lowering& in) {
  in.op.unit = static_cast<std::uint8_t>(Unit::memory);
  if (!in.take("async")) in.unsupported();
  if (in.take("commit_group") || in.take("wait_group") || in.take("wait_all")) {
    in.op.run = [](Warp&, const Op&) {};
    return;
  }
  if (!in.take("ca") && !in.take("cg")) in.unsupported();
  for (const char* hint : {"L2::64B", "L2::128B", "L2::256B"}) in.take(hint);
  if ((!in.take("shared") && !in.take("shared::cta")) || !in.take("global")) in.unsupported();
  select_address_mode(in, 0, Space::shared);
  const Lowering::Address from = in.address(in.operand(1), Space::global);
  if (!from.indexed || from.size != 8 || from.in_frame) in.unsupported();
  in.op.b = from.slot;
  in.op.extra = static_cast<std::uint32_t>(from.offset);
  if (in.operand(2).kind != Operand::Kind::integer || in.operand_count() > 4) in.unsupported();
  const std::uint64_t size = in.operand(2).bits;
  in.op.c = in.operand_count() > 3 ? in.source(3, 4) : in.constant(size, 4);
  if (size == 4) in.op.run = run_copy<4>;
  if (size == 8) in.op.run = run_copy<8>;
  if (size == 16) in.op.run = run_copy<16>;
}

}  // namespace ptxemu
