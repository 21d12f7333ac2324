#pragma once
// Geometry, cross sections, sources and tallies of a run, ready for tracking.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/exec/executor.hpp"
#include "src/modules/transport/eigenvalue/initial_source.hpp"
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
/// The box around a geometry. Along an axis on which the geometry is unbounded, the box has the
/// length of the longest bounded axis or, where there is none, the extent length_of() of the
/// geometry; it extends from the one finite bound or, without one, has its middle at 0.
SampleBox box_around(const Geometry& geometry);

/// Built once per run, and replicated on every rank.
class System {
 public:
  /// InputError for geometry, data or sources that cannot be used.
  System(const TransportConfig& config, const Executor& executor, std::uint64_t seed);

  const Geometry& geometry() const { return geometry_; }
  const SampleBox& box() const { return box_; }
  /// The same box, infinite where the geometry is unbounded.
  SampleBox bounds() const;
  /// Views of host memory; that of the geometry is geometry().view().
  MaterialView host_materials() const { return host_materials_.view(); }
  SourceView host_sources() const { return host_sources_.view(); }
  /// Views of the executor's memory.
  GeometryView geometry_view() const { return geometry_arrays_.view(); }
  MaterialView materials() const { return materials_.view(); }
  SourceView sources() const { return sources_.view(); }
  VarianceReductionView variance_reduction() const;
  /// The geometry, materials and sources for initial_source(); views of host memory.
  InitialSourceSetup initial_source(std::uint64_t seed) const {
    return {geometry_.view(), host_materials(), host_sources(), box_, seed};
  }
  /// The file or sampler that source particles come from; null: they come from sources().
  ParticleSupply* supply() { return supply_.get(); }
  /// Strength of all sources together, or of the file.
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
  Array<double> importance_;  ///< by cell; empty if all are 1
  Array<FlightBias> biases_;  ///< by cell; empty if there are none
  TallyPlan tallies_;
  double source_strength_;
  std::unique_ptr<ParticleSupply> supply_;
};

}  // namespace gsim::transport
