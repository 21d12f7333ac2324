#include "src/modules/md/structures/random_points.hpp"

#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim::md {

std::vector<FixedPosition> random_points(std::uint64_t seed, const Box& box, IndexRange range,
                                         Index attempt) {
  const PhiloxKey key = stream_key({seed, Purpose::md_start_position});
  std::vector<FixedPosition> points;
  points.reserve(static_cast<std::size_t>(range.size()));
  const auto step = static_cast<std::uint64_t>(attempt);
  const auto &o = box.origin(), &l = box.lengths(), &t = box.tilts();
  for (Index i = range.first; i < range.last; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    const auto xy = uniforms<double>(philox_block(key, entity, step, 0));
    const auto z = uniforms<double>(philox_block(key, entity, step, 1));
    const double a = xy[0], b = xy[1], c = z[0];
    ImageCount image;
    points.push_back(box.to_fixed(
        {o[0] + (a * l[0] + b * t[0] + c * t[1]), o[1] + (b * l[1] + c * t[2]), o[2] + c * l[2]},
        image));
  }
  return points;
}

}  // namespace gsim::md
