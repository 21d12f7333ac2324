#pragma once
// OpenMC's library of multigroup cross sections, mgxs.h5 (format 1.0; OpenMC documentation, "MGXS
// library format").

#include <cstdint>
#include <string>
#include <vector>

#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

struct MgxsEntry {
  Material material;           ///< as the file has it, not completed
  std::vector<double> bounds;  ///< of the groups, eV, falling
  double temperature = 0;      ///< K, of the data that were taken
};

/// Reads the group `entry` of the file at `path`, at the temperature nearest to `temperature` (K; a
/// negative one: the only one that there is). Only representation "isotropic" (no dependence on the
/// neutron's direction) and scatter_format "legendre" are read. InputError that names file and
/// dataset for what is missing, wrong or not supported.
MgxsEntry read_mgxs(const std::string& path, const std::string& entry, double temperature);

/// The names of the entries of the file.
std::vector<std::string> mgxs_entries(const std::string& path);

}  // namespace gsim::transport
