#pragma once
// On CUDA the tables of all atoms stand in memory, one atom's after the other's.

#include "kernels/md/long_range/phases.hpp"

#if defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

GSIM_HD double* atom_table(const md::WaveAtoms& atoms, const md::WavePoints& waves, Index i) {
  return reinterpret_cast<double*>(atoms.workspace.data) + i * md::wave_table_entries(waves);
}

struct AtomTables {
  md::WaveAtoms atoms;
  md::WavePoints waves;
  GSIM_HD void operator()(Index i) const {
    double* const table = atom_table(atoms, waves, i);
    fill_table<double>(waves, atoms.position[i].x,
                       [table](Index entry, double value) { table[entry] = value; });
  }
};

inline void fill_atom_tables(const Executor& executor, const md::WaveAtoms& atoms,
                             const md::WavePoints& waves) {
  launch(executor, "wave tables", atoms.position.size, AtomTables{atoms, waves});
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
