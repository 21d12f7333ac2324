#include "tests/unit/domain/fields/cell_loop_kernels.hpp"

GSIM_TARGET_BEGIN
namespace {

struct Stencil {
  test::StencilArgs args;

  template <class Cells>
  GSIM_HD void operator()(const Cells& c) const {
    const auto u = c.at(args.from);
    auto sum = 3 * u;
    for (int d = 1; d <= args.reach; ++d) {
      sum += (c.at(args.from, -d, 0, 0) - u) * 0.5 + (c.at(args.from, d, 0, 0) - u) * 0.25;
      sum += (c.at(args.from, 0, -d, 0) - u) * 0.125 + (c.at(args.from, 0, d, 0) - u) / 3.0;
      sum += (c.at(args.from, 0, 0, -d) - u) / 7.0 + (c.at(args.from, 0, 0, d) - u) / 5.0;
    }
    sum += c.at(args.from, -1, 1, 0) / 11.0 + c.at(args.from, 1, -1, 1) / 13.0;
    c.set(args.to, select(sum < 0.0, 0.5 * sum, sum));
    c.set(args.float_to, 2.0f * c.at(args.float_from, -1, 0, 0) + 1.0f);
    const auto x = c.at(args.pairs, 0), y = c.at(args.pairs, 1);
    const auto product =
        c.along(0, args.along[0]) * c.along(1, args.along[1]) + c.along(2, args.along[2]);
    c.set(args.pairs, select(u > 0.0, y + c.number(0), product), 0);
    c.set(args.pairs, select(u > 0.0, x - c.number(2), c.number(1)), 1);
  }
};

}  // namespace
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(test_stencil, test::StencilArgs) {
  for_each_cell(executor, "test stencil", args.loop, Stencil{args});
}
