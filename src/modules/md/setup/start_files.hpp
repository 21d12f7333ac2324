#pragma once
// Kinds of [start] that read files.

#include "src/modules/md/setup/start_config.hpp"

namespace gsim::md {

/// The keys of kind = "lammps_data", "xyz" and "h5md". While reading, they read the file, and fill
/// in what it says: the system, types and masses that the configuration does not give,
/// coefficients.
void describe_data_file(Section& s, StartConfig& config);
void describe_xyz(Section& s, StartConfig& config);
void describe_h5md(Section& s, StartConfig& config);

}  // namespace gsim::md
