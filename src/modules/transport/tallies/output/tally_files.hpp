#pragma once
// Tallies in the formats of other programs.

#include <string>

#include "src/modules/transport/tallies/tally_set.hpp"

namespace gsim::transport {

/// Writes a tally with a mesh as VTKHDF 2.0 (Kitware, VTKHDF file format), which VTK and ParaView
/// open: an ImageData for regular meshes, an UnstructuredGrid of hexahedra for others, in which
/// azimuths are divided until their arcs look round. Arrays of cells: each score's mean and
/// "… relative error", by the bins of other filters, and of their sums over groups. A mesh that
/// does not divide a dimension is drawn from 0 to 1 there. Collective.
void write_vtk_file(const Communicator& communicator, const TallySet& set, std::size_t tally,
                    const std::string& path);

/// What a statepoint says of a run beside its tallies.
struct StatepointRun {
  bool is_eigenvalue = false;
  std::uint64_t seed = 0;
  Index particles = 0;  ///< a batch
  Index batches = 0, inactive = 0;
  std::vector<double> k_generation = {}, entropy = {};  ///< of all generations
  double k_mean = 0, k_error = 0;
  double seconds = 0;  ///< of work on the tallies' batches: OpenMC reckons figures of merit from it
};

/// Writes what OpenMC's Python class StatePoint reads of its format 18.1: run, meshes, filters,
/// tallies. Squares are those that give gsim's standard errors by OpenMC's formula. Names become
/// numbers from 1, in the order of the configuration. Energies rise, as OpenMC has it; groups
/// without bounds have the bounds 0, 1, 2, …. Tallies with cosines are left out: OpenMC's filters
/// are others. Collective.
void write_statepoint(const Communicator& communicator, const TallySet& set,
                      const Geometry& geometry, const StatepointRun& run, const std::string& path);

}  // namespace gsim::transport
