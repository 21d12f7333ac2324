#include "src/modules/transport/eigenvalue/initial_source.hpp"

#include <atomic>
#include <optional>

#include "gsim/core/error.hpp"
#include "kernels/transport/collisions/collision.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "src/modules/transport/tracking/in_chunks.hpp"

namespace gsim::transport {
namespace {

using transport_kernels::HistoryRandom;

/// The cell and material at position; on a surface, those on the side towards larger z.
CellAt cell_of(const InitialSourceSetup& setup, const Vector3& position) {
  return transport_kernels::cell_at(setup.geometry, position, Vector3{0, 0, 1});
}

/// A site from the sources; nothing if no position was found in the cells and materials to which a
/// source is limited.
std::optional<FissionSite> from_sources(const InitialSourceSetup& setup, HistoryRandom& random) {
  SourceParticle particle;
  const auto accept = [&](std::int32_t source, const Vector3& position) {
    const CellAt here = cell_of(setup, position);
    return here.cell >= 0 &&
           transport_kernels::is_admitted(setup.sources, source, here.cell, here.material);
  };
  using transport_kernels::SourceSampling;
  if (transport_kernels::sample_source(setup.sources, random, accept, particle) !=
      SourceSampling::sampled)
    return std::nullopt;
  FissionSite site;
  site.position = particle.position;
  site.group = static_cast<std::int16_t>(particle.group);
  return site;
}

/// A site uniform in the fissile material of the box; nothing if no such position was found.
std::optional<FissionSite> from_fissile(const InitialSourceSetup& setup, HistoryRandom& random) {
  FissionSite site;
  const auto& lower = setup.box.lower;
  const auto& upper = setup.box.upper;
  for (int tries = 0; tries < transport_kernels::max_source_tries; ++tries) {
    double x[3];
    for (std::size_t a = 0; a < 3; ++a) x[a] = lower[a] + (upper[a] - lower[a]) * random.uniform();
    site.position = {x[0], x[1], x[2]};
    const CellAt here = cell_of(setup, site.position);
    if (here.cell < 0 || here.material < 0) continue;
    // The incident group is the slowest one with fission: in thermal systems it has most neutrons.
    for (std::int32_t g = setup.materials.groups; g-- > 0;) {
      if (!(transport_kernels::group_data(setup.materials, here.material, g).nu_fission > 0))
        continue;
      site.group = static_cast<std::int16_t>(
          transport_kernels::sample_fission_neutron(setup.materials, here.material, g, random)
              .group);
      return site;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<FissionSite> initial_source(const InitialSourceSetup& setup, ThreadPool& pool,
                                        IndexRange range) {
  std::vector<FissionSite> sites(static_cast<std::size_t>(range.size()));
  std::atomic<bool> has_failed = false;
  in_chunks(pool, range.size(), /*size=*/256, [&](IndexRange part, int) {
    for (Index i = part.first; i < part.last && !has_failed; ++i) {
      HistoryRandom random(stream_key({setup.seed, Purpose::transport_first_source}),
                           static_cast<std::uint64_t>(range.first + i));
      const auto site = setup.sources.sources.size > 0 ? from_sources(setup, random)
                                                       : from_fissile(setup, random);
      if (site)
        sites[static_cast<std::size_t>(i)] = *site;
      else
        has_failed = true;
    }
  });
  if (has_failed)
    throw InputError(
        "no starting position was found for the initial neutrons: the source has none in its "
        "cells, or the geometry has no fissile material; give a [[source]] in fissile material");
  return sites;
}

}  // namespace gsim::transport
