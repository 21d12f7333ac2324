#pragma once
// OpenMC's library of multigroup cross sections, mgxs.h5 (format 1.0; OpenMC documentation, "MGXS
// library format").

#include <cstdint>
#include <string>
#include <vector>

#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

struct MgxsEntry {
  Material material;           ///< as in the file, before complete()
  std::vector<double> bounds;  ///< of the groups, eV, descending
  double temperature = 0;      ///< K, of the data that were read
};

/// Reads the entry `entry` of the file at `path`, at the temperature nearest to `temperature` (K;
/// if negative, the file must have one temperature alone). Only the representation "isotropic"
/// (independent of the neutron's direction) and the scatter_format "legendre" are supported.
/// InputError that names file and dataset for missing, invalid or unsupported data.
MgxsEntry read_mgxs(const std::string& path, const std::string& entry, double temperature);

/// The names of the entries of the file.
std::vector<std::string> mgxs_entries(const std::string& path);

}  // namespace gsim::transport
