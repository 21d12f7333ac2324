#include "kernels/domain/fill_faces.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

template <class T>
struct FillFaces {
  domain::FillFacesArgs args;
  GSIM_HD void operator()(Index i) const {
    const int s = i < args.side[0].count ? 0 : 1;
    const domain::FaceGhosts& ghosts = args.side[s];
    const Index n = s == 0 ? i : i - args.side[0].count;
    const Index at[3] = {n % ghosts.size[0], n / ghosts.size[0] % ghosts.size[1],
                         n / ghosts.size[0] / ghosts.size[1]};
    Index row = ghosts.first;
    for (int a = 0; a < 3; ++a) row += at[a] * args.stride[a];
    const Index inside = row + (ghosts.mirror - 2 * at[args.axis]) * args.stride[args.axis];
    T* const to = static_cast<T*>(args.elements) + row * args.components + args.component;
    const T* const from =
        static_cast<const T*>(args.elements) + inside * args.components + args.component;
    for (int c = 0; c < args.count; ++c) {
      const T value = static_cast<T>(args.value[s][c]);
      switch (args.rule[s][c]) {
        case domain::FillRule::untouched:
          break;
        case domain::FillRule::mirror:
          to[c] = from[c];
          break;
        case domain::FillRule::oppose:
          to[c] = T(2) * value - from[c];
          break;
        case domain::FillRule::value:
          to[c] = value;
          break;
      }
    }
  }
};

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_fill_faces, domain::FillFacesArgs) {
  const Index count = args.side[0].count + args.side[1].count;
  if (args.element_bytes == 8)
    launch(executor, "fill ghosts", count, domain_kernels::FillFaces<double>{args});
  else
    launch(executor, "fill ghosts", count, domain_kernels::FillFaces<float>{args});
}
