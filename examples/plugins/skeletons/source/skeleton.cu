// A point source with a preferred direction: the density of directions is (1 + a mu) / 2, where mu
// is the cosine with the z axis.

#include <gsim/transport/sample_source.hpp>

GSIM_TARGET_BEGIN
namespace transport_kernels {

struct Skeleton {
  const double* numbers;  // position, a, group: as describe() of skeleton_plugin.cpp returns them

  // All random numbers come from `random`, the stream of the particle's history, so that results do
  // not depend on which thread or rank samples it.
  GSIM_HD transport::SourceParticle operator()(HistoryRandom& random) const {
    transport::SourceParticle p;
    p.position = {numbers[0], numbers[1], numbers[2]};
    // A uniform cosine, reversed with probability (1 - a mu) / 2.
    const double even = fma(2.0, random.uniform(), -1.0);
    const bool stays = random.uniform() < fma(0.5 * numbers[3], even, 0.5);
    p.direction = direction_about_z(stays ? even : -even, random.uniform());
    p.group = static_cast<std::int32_t>(numbers[4]);
    return p;
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

GSIM_DEFINE_SOURCE(skeleton_sample, Skeleton)
