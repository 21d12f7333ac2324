#pragma once
// Output of tallies in file formats of other programs.

#include <string>
#include <vector>

#include "src/modules/transport/tallies/tally_set.hpp"

namespace gsim::transport {

/// Writes a tally with a mesh as VTKHDF 2.0 (Kitware, VTKHDF file format) for VTK and ParaView: an
/// ImageData for regular meshes, an UnstructuredGrid of hexahedra for others, with arcs divided so
/// that they look round. The cell arrays are each score's mean and "… relative error", by the bins
/// of other filters, and of sums over groups. A dimension that the mesh does not divide is drawn
/// from 0 to 1. Collective.
void write_vtk_file(const Communicator& communicator, const TallySet& set, std::size_t tally,
                    const std::string& path);

/// Properties of a run that a statepoint file holds beside tallies.
struct StatepointRun {
  bool is_eigenvalue = false;
  std::uint64_t seed = 0;
  Index particles = 0;  ///< per batch
  Index batches = 0, inactive = 0;
  std::vector<double> k_generation = {}, entropy = {};  ///< by generation
  double k_mean = 0, k_error = 0;
  double seconds = 0;  ///< time of the tallied batches, for OpenMC's figures of merit
};

/// Writes the parts of OpenMC's statepoint format 18.1 that its Python class StatePoint reads: run,
/// meshes, filters, tallies. Sums of squares are such that OpenMC's formula gives gsim's standard
/// errors. Names become numbers from 1 in the order of the configuration. Energies ascend as in
/// OpenMC; groups without bounds have the bounds 0, 1, 2, …. Tallies with filters that OpenMC does
/// not have (OpenmcFilter::type) are left out. Collective.
void write_statepoint(const Communicator& communicator, const TallySet& set,
                      const Geometry& geometry, const StatepointRun& run, const std::string& path);

/// Warnings of the tallies that write_statepoint() leaves out.
std::vector<std::string> statepoint_omissions(const TallyPlan& plan);

}  // namespace gsim::transport
