#pragma once
// Addresses of memory instructions.

#include "exec/lanes.hpp"
#include "program/lowering.hpp"

namespace ptxemu {

/// How a memory instruction computes its addresses. Op holds the slot of the index register in `a`,
/// the offset in `immediate`, and these bits in `option`: whether there is an index register,
/// whether it has 32 bits (otherwise 64), and whether the address is relative to the function's
/// local memory.
struct AddressMode {
  static constexpr std::uint8_t indexed = 1, narrow = 2, in_frame = 4;
};

/// Writes the generic addresses of the active lanes to `addresses`.
inline void generic_addresses(Warp& warp, const Op& op, std::uint64_t* addresses) {
  auto offset = static_cast<std::uint64_t>(op.immediate);
  if ((op.option & AddressMode::in_frame) != 0) offset += warp.frame().local_base;
  if (is_sparse(warp.mask)) {
    each_lane(warp, [&](int n) {
      addresses[n] = offset;
      if ((op.option & AddressMode::indexed) != 0)
        addresses[n] += (op.option & AddressMode::narrow) != 0 ? warp.at<std::uint32_t>(op.a)[n]
                                                               : warp.at<std::uint64_t>(op.a)[n];
    });
  } else if ((op.option & AddressMode::indexed) == 0) {
    for (int n = 0; n < warp_size; ++n) addresses[n] = offset;
  } else if ((op.option & AddressMode::narrow) != 0) {
    const std::uint32_t* const index = warp.at<std::uint32_t>(op.a);
    for (int n = 0; n < warp_size; ++n) addresses[n] = index[n] + offset;
  } else {
    const std::uint64_t* const index = warp.at<std::uint64_t>(op.a);
    for (int n = 0; n < warp_size; ++n) addresses[n] = index[n] + offset;
  }
}

/// Parses the state space of a memory instruction from its suffixes.
inline Space parse_space(Lowering& in) {
  if (in.take("global")) return Space::global;
  if (in.take("shared") || in.take("shared::cta")) return Space::shared;
  if (in.take("local")) return Space::local;
  if (in.take("param") || in.take("param::entry") || in.take("param::func")) return Space::param;
  if (in.take("const")) return Space::constant;
  return Space::generic;
}

/// The start of the window of a state space in the generic address space; 0 for spaces without one.
inline std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return shared_window;
    case Space::local:
      return local_window;
    case Space::param:
      return param_window;
    default:
      return 0;
  }
}

/// Stores the address computation of memory operand `n` in the Op.
inline void select_address_mode(Lowering& in, std::size_t n, Space space) {
  const Lowering::Address address = in.address(in.operand(n), space);
  in.op.immediate = address.offset + static_cast<std::int64_t>(window_of(address.space));
  in.op.a = address.slot;
  in.op.option = static_cast<std::uint8_t>((address.indexed ? AddressMode::indexed : 0) |
                                           (address.size == 4 ? AddressMode::narrow : 0) |
                                           (address.in_frame ? AddressMode::in_frame : 0));
}

/// Parses suffixes for memory ordering and cache hints: they do not change results here, because
/// one instruction of one warp is executed at a time.
inline void parse_memory_ordering(Lowering& in) {
  for (const char* suffix : {"weak",
                             "relaxed",
                             "acquire",
                             "release",
                             "acq_rel",
                             "volatile",
                             "mmio",
                             "cta",
                             "cluster",
                             "gpu",
                             "sys",
                             "nc",
                             "ca",
                             "cg",
                             "cs",
                             "lu",
                             "cv",
                             "wb",
                             "wt",
                             "L1::evict_normal",
                             "L1::evict_unchanged",
                             "L1::evict_first",
                             "L1::evict_last",
                             "L1::no_allocate",
                             "L2::64B",
                             "L2::128B",
                             "L2::256B"})
    in.take(suffix);
}

}  // namespace ptxemu
