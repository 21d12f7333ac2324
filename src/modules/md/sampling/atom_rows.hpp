#pragma once
// Writing and reading columns of a ParticleStore, in the order of ids.

#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim::md {

/// Writes the rows of owned atoms in `column` as dataset `path` of `atoms` rows. Collective.
void save_rows(DatasetWriter& writer, const std::string& path, const Communicator& communicator,
               const ParticleStore& store, ColumnId column, Index atoms);

/// Reads the dataset that save_rows() wrote into the rows of owned atoms; the distribution of atoms
/// over ranks may differ. Collective. IoError if the dataset has another number of atoms.
void restore_rows(DatasetReader& reader, const std::string& path, const Communicator& communicator,
                  ParticleStore& store, ColumnId column, Index atoms);

/// Copies the rows of owned atoms from one column to another of the same row size.
void copy_rows(ParticleStore& store, ColumnId from, ColumnId to);

}  // namespace gsim::md
