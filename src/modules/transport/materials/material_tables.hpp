#pragma once
// The arrays that kernels read of materials, in an executor's memory.

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
  std::vector<double> majorant, free_speed;
};

/// Adds one completed material to `arrays`, whose groups it has. InputError that names material and
/// groups where its scattering cannot be sampled.
void add_material(const Material& material, MaterialArrays& arrays);

/// The arrays of all materials of `set`, in their order; InputError as above. Materials with
/// is_used[i] == false do not count for the majorant (all count where it is empty).
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
  Array<double> majorant_, free_speed_;
};

}  // namespace gsim::transport
