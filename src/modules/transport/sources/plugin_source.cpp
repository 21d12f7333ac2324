#include "src/modules/transport/sources/plugin_source.hpp"

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/random/plugin_purpose.hpp"
#include "gsim/random/stream.hpp"

namespace gsim::transport {
namespace {

/// The error of an invalid particle; empty: it is valid.
std::string fault_of(const SourceParticle& p, std::int32_t groups) {
  if (p.group < 0 || p.group >= groups)
    return fmt::format("has group {}, but the number of groups is {}", p.group + 1, groups);
  if (!(p.weight >= 0) || !std::isfinite(p.weight)) return fmt::format("has weight {}", p.weight);
  const double length = dot(p.direction, p.direction);
  if (!(std::fabs(length - 1) < 1e-9))
    return fmt::format("has a direction of length {:.9g}", std::sqrt(length));
  for (const double x : {p.position.x, p.position.y, p.position.z, p.time})
    if (!std::isfinite(x)) return "has a position or time that is not finite";
  return {};
}

}  // namespace

PluginSource::PluginSource(const Executor& executor, const SourceKind& kind,
                           std::vector<double> numbers, std::int32_t groups, std::uint64_t seed)
    : executor_(executor),
      kind_(kind),
      numbers_(executor, std::span<const double>(numbers)),
      groups_(groups),
      key_(stream_key({seed, plugin_purpose(kind.name, 0)})) {}

std::vector<SourceParticle> PluginSource::particles(IndexRange histories) {
  Array<SourceParticle> sampled(executor_, histories.size());
  kind_.sample(executor_, {sampled.view(), histories.first, key_, numbers_.view(), groups_});
  std::vector<SourceParticle> particles = sampled.to_host();
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (const std::string fault = fault_of(particles[i], groups_); !fault.empty())
      throw NumericalError(fmt::format("source `{}`: the particle of history {} {}", kind_.name,
                                       histories.first + static_cast<Index>(i), fault));
    particles[i].source = 0;
  }
  return particles;
}

}  // namespace gsim::transport
