#pragma once
// Kinds of [start] that read files: lammps_data, xyz, h5md.

#include "src/modules/md/setup/start_config.hpp"

namespace gsim::md {

/// Describe the keys of kind = "lammps_data", "xyz" and "h5md". In reading mode they read the file
/// as well and fill in the system, coefficients, and types and masses that the configuration omits.
void describe_data_file(Section& s, StartConfig& config);
void describe_xyz(Section& s, StartConfig& config);
void describe_h5md(Section& s, StartConfig& config);

}  // namespace gsim::md
