#if defined(__CUDACC__)  // hosts compute the thermostats of a run one by one
#include "kernels/md/thermostats/scale_groups.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct ScaleGroups {
  md::ScaleGroupsArgs args;

  GSIM_HD void operator()(Index group) const {
    WideInteger* const sum = args.sums + 9 * group;
    double mvv[3];
    for (int a = 0; a < 3; ++a) mvv[a] = static_cast<double>(sum[a]) * args.energy_quantum;
    for (int k = 0; k < 9; ++k) sum[k] = 0;
    const double factor =
        scale_group(args.states[group], mvv[0] + mvv[1] + mvv[2], args.thermal[group], args.step);
    for (Index c = 0; c < args.scale.size; ++c) {
      const std::int32_t of_class = args.group_of_class[c];
      if (of_class == group) args.scale[c] = {factor, {0, 0, 0}};
      if (of_class < 0 && group == 0) args.scale[c] = {1, {0, 0, 0}};
    }
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_scale_groups, md::ScaleGroupsArgs) {
  launch(executor, "thermostats", args.groups, md_kernels::ScaleGroups{args});
}
#endif
