#pragma once
// The arrays of materials that kernels read, in the memory of an executor.

#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/materials/material_view.hpp"
#include "src/modules/transport/materials/angle_laws.hpp"
#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

/// The arrays of MaterialView on the host.
struct MaterialArrays {
  Index groups = 0;
  std::vector<GroupData> data;
  std::vector<Transfer> transfers;
  AngleTables angles;
  std::vector<FissionData> fission;
  std::vector<DelayedData> delayed;
  std::vector<double> fractions;
  std::vector<AliasSlot> spectra;
  std::vector<double> majorant, void_speed;
};

/// Appends a completed material with the same groups to `arrays`. InputError that names material
/// and groups where its scattering cannot be sampled.
void add_material(const Material& material, MaterialArrays& arrays);

/// The arrays of all materials of `set`, in order; InputError as above. Materials with is_used[i]
/// == false are left out of the majorant; an empty list includes all.
MaterialArrays make_material_arrays(const MaterialSet& set, const std::vector<bool>& is_used = {});

/// The arrays in the memory of an executor.
class MaterialTables {
 public:
  MaterialTables(const Executor& executor, const MaterialArrays& arrays);
  MaterialView view() const;

 private:
  Index groups_;
  Array<GroupData> data_;
  Array<Transfer> transfers_;
  Array<AngleLaw> angles_;
  Array<AngleSlot> angle_slots_;
  Array<double> coefficients_;
  Array<FissionData> fission_;
  Array<DelayedData> delayed_;
  Array<double> fractions_;
  Array<AliasSlot> spectra_;
  Array<double> majorant_, void_speed_;
};

}  // namespace gsim::transport
