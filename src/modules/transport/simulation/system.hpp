#pragma once
// Geometry, data and sources of a run, ready for tracking.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/transport/geometry/geometry.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"
#include "src/modules/transport/materials/material_tables.hpp"
#include "src/modules/transport/sources/particle_supply.hpp"
#include "src/modules/transport/sources/source_tables.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"
#include "src/modules/transport/transport_config.hpp"

namespace gsim::transport {

/// The geometry of a configuration. ConfigError.
Geometry make_geometry(const TransportConfig& config);
/// The tallies of a configuration. ConfigError.
TallyPlan plan_tallies(const TransportConfig& config, const Geometry& geometry);
/// The box around a geometry; axes without bounds reach as far as the longest of the others, or
/// where none has bounds as the surfaces do, about their middle.
SampleBox box_around(const Geometry& geometry);

/// Built once a run; every rank holds it whole.
class System {
 public:
  /// InputError for geometry, data or sources that cannot be used.
  System(const TransportConfig& config, const Executor& executor, std::uint64_t seed);

  const Geometry& geometry() const { return geometry_; }
  const SampleBox& box() const { return box_; }
  /// The same, infinite where the geometry has no bounds.
  SampleBox bounds() const;
  /// Views in host memory; those of the geometry are geometry().view().
  MaterialView host_materials() const { return host_materials_.view(); }
  SourceView host_sources() const { return host_sources_.view(); }
  /// Views in the executor's memory.
  GeometryView geometry_view() const { return geometry_arrays_.view(); }
  MaterialView materials() const { return materials_.view(); }
  SourceView sources() const { return sources_.view(); }
  PopulationView population() const;
  /// The file or plugin that particles come from; null: they come from sources().
  ParticleSupply* supply() { return supply_.get(); }
  /// Of all sources together, or of the file.
  double source_strength() const { return source_strength_; }
  const std::vector<bool>& used_materials() const { return used_materials_; }
  const TallyPlan& tallies() const { return tallies_; }

 private:
  Geometry geometry_;
  SampleBox box_;
  std::vector<bool> used_materials_;
  GeometryArrays geometry_arrays_;
  MaterialTables materials_, host_materials_;
  SourceTables sources_, host_sources_;
  Array<double> importance_;  ///< by cell; empty where all are alike
  Array<FlightBias> biases_;  ///< by cell; empty where there are none
  TallyPlan tallies_;
  double source_strength_;
  std::unique_ptr<ParticleSupply> supply_;
};

}  // namespace gsim::transport
