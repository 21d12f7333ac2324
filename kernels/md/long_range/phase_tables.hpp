#pragma once
// One table of cosines and sines per atom (fill_table()), stored one after the other in the
// workspace of a CUDA device.

#include "kernels/md/long_range/phases.hpp"

#if defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

/// The table of atom i.
GSIM_HD double* atom_table(const md::EwaldAtoms& atoms, const md::KVectorPoints& k_vectors,
                           Index i) {
  return reinterpret_cast<double*>(atoms.workspace.data) + i * md::phase_table_entries(k_vectors);
}

struct FillAtomTable {
  md::EwaldAtoms atoms;
  md::KVectorPoints k_vectors;
  GSIM_HD void operator()(Index i) const {
    double* const table = atom_table(atoms, k_vectors, i);
    fill_table<double>(k_vectors, atoms.position[i].x,
                       [table](Index entry, double value) { table[entry] = value; });
  }
};

inline void fill_atom_tables(const Executor& executor, const md::EwaldAtoms& atoms,
                             const md::KVectorPoints& k_vectors) {
  launch(executor, "phase tables", atoms.position.size, FillAtomTable{atoms, k_vectors});
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
