#include "transport_check.hpp"

#include <string>
#include <vector>

#include "gsim/engine/driver.hpp"
#include "modules/transport/transport_config.hpp"
#include "score_check.hpp"
#include "source_check.hpp"
#include "surface_check.hpp"

namespace gsim::app {
namespace {

using transport::ScoreKind;
using transport::SourceKind;
using transport::SurfaceKind;
using transport::TransportConfig;

TransportConfig read(const Registry& registry, const Subject& subject) {
  TransportConfig config;
  const auto extensions = transport::Extensions::of(registry);
  ConfigFile file = ConfigFile::parse(subject.config, subject.config_name);
  RunOptions::read(file,
                   [&](Section& top) { transport::describe_transport(top, config, extensions); });
  return config;
}

std::string problem_of(const SourceKind& kind, const TransportConfig& example) {
  for (const transport::SourceConfig& source : example.sources.list)
    if (source.sampler == &kind)
      return source_problem(kind, source.numbers,
                            static_cast<std::int32_t>(example.materials.groups));
  return {};
}

std::string problem_of(const SurfaceKind& kind, const TransportConfig& example,
                       const Subject& subject) {
  std::vector<std::string> materials;
  for (const transport::Material& m : example.materials.materials) materials.push_back(m.name);
  return surface_problem(kind, subject.config,
                         transport::build_geometry(example.geometry, materials));
}

}  // namespace

bool check_transport(const Registry::Extension& part, const Registry& registry,
                     const Subject& subject, const std::function<void(const Finding&)>& tell) {
  const void* const kind = part.object.get();
  const auto example = [&] { return read(registry, subject); };
  if (part.kind == SourceKind::extends)
    return holds(tell, "samples each history alike, with weights of mean 1",
                 [&] { return problem_of(*static_cast<const SourceKind*>(kind), example()); });
  if (part.kind == SurfaceKind::extends)
    return holds(tell, "is crossed where its sides change", [&] {
      return problem_of(*static_cast<const SurfaceKind*>(kind), example(), subject);
    });
  return holds(tell, "gives numbers to a tally",
               [&] { return score_problem(*static_cast<const ScoreKind*>(kind), example()); });
}

}  // namespace gsim::app
