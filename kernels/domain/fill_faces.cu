#include "kernels/domain/fill_faces.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

template <class T>
struct FillFaces {
  domain::FillFacesArgs args;

  /// Fills the ghosts with coordinates first_x <= x < last_x of line n (constant y and z) of one
  /// side.
  GSIM_HD void fill_line(int side, Index n, Index first_x, Index last_x) const {
    const domain::FaceGhosts& ghosts = args.side[side];
    const Index y = n % ghosts.size[1], z = n / ghosts.size[1];
    const Index first = ghosts.first + y * args.stride[1] + z * args.stride[2];
    // Along the axis of the face, the mirror image moves against the ghost.
    const Index along = args.axis == 1 ? y : z;
    const Index inside = args.axis == 0
                             ? first + ghosts.mirror
                             : first + (ghosts.mirror - 2 * along) * args.stride[args.axis];
    const Index step = args.axis == 0 ? -1 : 1;
    T* const to = static_cast<T*>(args.elements) + first * args.components + args.component;
    const T* const from =
        static_cast<const T*>(args.elements) + inside * args.components + args.component;
    const Index stride = args.components;
    for (int c = 0; c < args.count; ++c) {
      const T value = static_cast<T>(args.value[side][c]);
      switch (args.rule[side][c]) {
        case domain::FillRule::untouched:
          break;
        case domain::FillRule::zero_gradient:
          for (Index x = first_x; x < last_x; ++x) to[x * stride + c] = from[x * step * stride + c];
          break;
        case domain::FillRule::face_value:
          for (Index x = first_x; x < last_x; ++x)
            to[x * stride + c] = T(2) * value - from[x * step * stride + c];
          break;
        case domain::FillRule::ghost_value:
          for (Index x = first_x; x < last_x; ++x) to[x * stride + c] = value;
          break;
      }
    }
  }

  /// Index i is a line of ghosts along x on the host, and one ghost on a device.
  GSIM_HD void operator()(Index i) const {
#if defined(__CUDACC__)
    const int side = i < args.side[0].count ? 0 : 1;
    const Index ghost = side == 0 ? i : i - args.side[0].count, size = args.side[side].size[0];
    fill_line(side, ghost / size, ghost % size, ghost % size + 1);
#else
    const Index lines = args.side[0].count / args.side[0].size[0];
    const int side = i < lines ? 0 : 1;
    fill_line(side, side == 0 ? i : i - lines, 0, args.side[side].size[0]);
#endif
  }
};

template <class T>
void fill_faces(const Executor& executor, const domain::FillFacesArgs& args) {
#if defined(__CUDACC__)
  const Index count = args.side[0].count + args.side[1].count;
#else
  const Index count =
      args.side[0].count / args.side[0].size[0] + args.side[1].count / args.side[1].size[0];
#endif
  launch(executor, "fill ghosts", count, FillFaces<T>{args});
}

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_fill_faces, domain::FillFacesArgs) {
  if (args.element_bytes == 8)
    domain_kernels::fill_faces<double>(executor, args);
  else
    domain_kernels::fill_faces<float>(executor, args);
}
