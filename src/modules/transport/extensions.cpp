#include "src/modules/transport/extensions.hpp"

#include <algorithm>
#include <utility>

namespace gsim::transport {

// The build writes the definitions of these functions (GsimBuiltinParts.cmake).
void register_builtin_geometry_surfaces(Registry& registry);
void register_builtin_sources_spaces(Registry& registry);
void register_builtin_sources_angles(Registry& registry);
void register_builtin_sources_spectra(Registry& registry);
void register_builtin_sources_times(Registry& registry);
void register_builtin_tallies_filters(Registry& registry);
void register_builtin_tallies_scores(Registry& registry);

void register_builtin_parts(Registry& registry) {
  register_builtin_geometry_surfaces(registry);
  register_builtin_sources_spaces(registry);
  register_builtin_sources_angles(registry);
  register_builtin_sources_spectra(registry);
  register_builtin_sources_times(registry);
  register_builtin_tallies_filters(registry);
  register_builtin_tallies_scores(registry);
}

Extensions Extensions::of(const Registry& registry) {
  std::vector<const FilterKind*> filters = registry.all<FilterKind>();
  std::ranges::stable_sort(filters, {}, &FilterKind::position);
  return {{registry.all<SpaceKind>(), registry.all<AngleKind>(), registry.all<SpectrumKind>(),
           registry.all<TimeKind>(), registry.all<SourceKind>()},
          registry.all<SurfaceKind>(),
          registry.all<ScoreKind>(),
          std::move(filters)};
}

const Extensions& Extensions::builtin() {
  static const Registry registry = [] {
    Registry parts;
    register_builtin_parts(parts);
    return parts;
  }();
  static const Extensions extensions = of(registry);
  return extensions;
}

}  // namespace gsim::transport
