// Compiled once per target: by the host compiler for each kind of processor, by nvcc for GPUs. The
// code is between GSIM_TARGET_BEGIN and _END, so that targets do not share symbols.

#include <gsim/exec/exact_reduce.hpp>

#include "skeleton_kernels.hpp"

GSIM_TARGET_BEGIN
namespace skeleton_kernels {

/// One walker. Each step is one bit of the walker's random numbers, which are addressed by its
/// number and the step, so that the result does not depend on rank, thread or order.
struct Walk {
  skeleton_module::WalkArgs args;

  GSIM_HD void operator()(Index i) const {
    constexpr Index steps_per_block = 128;  // a block of Philox has four words of 32 bits
    const auto walker = static_cast<std::uint64_t>(args.first_walker + i);
    const Index last = args.first_step + args.steps;
    std::int64_t x = args.position[i];
    for (Index s = args.first_step; s < last;) {
      const auto block =
          philox_block(args.key, walker, static_cast<std::uint64_t>(s / steps_per_block), 0);
      const std::uint64_t words[4] = {block.x0, block.x1, block.x2, block.x3};
      const Index end = (s / steps_per_block + 1) * steps_per_block;
      for (; s < last && s < end; ++s) {
        const Index bit = s % steps_per_block;
        x += ((words[bit / 32] >> (bit % 32)) & 1u) != 0 ? 1 : -1;
      }
    }
    args.position[i] = x;
  }
};

/// Sums of integers do not depend on the order.
struct Moments {
  skeleton_module::MomentsArgs args;

  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const std::int64_t square = args.position[i] * args.position[i];
    term[0] = square;
    term[1] = square * square;
  }
};

}  // namespace skeleton_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(skeleton_walk, ::skeleton_module::WalkArgs) {
  launch(executor, "walk", args.position.size, skeleton_kernels::Walk{args});
}

GSIM_DEFINE_LAUNCHER(skeleton_moments, ::skeleton_module::MomentsArgs) {
  exact_reduce<2>(executor, "moments", args.position.size, skeleton_kernels::Moments{args},
                  args.sums);
}
