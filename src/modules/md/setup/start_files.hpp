#pragma once
// Kinds of [start] that read files.

#include "src/modules/md/setup/start_config.hpp"

namespace gsim::md {

/// kind = "lammps_data", "xyz" and "h5md". They read the file into `config`: the system, the
/// coefficients of its interactions, and the types and masses that the configuration omits.
Section::Alternative data_file_start(StartConfig& config);
Section::Alternative xyz_start(StartConfig& config);
Section::Alternative h5md_start(StartConfig& config);

}  // namespace gsim::md
