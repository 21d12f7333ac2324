#pragma once
// Columns of a ParticleStore to files and back, in the order of ids.

#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim::md {

/// The locals' rows of `column` as dataset `path` of `atoms` rows. Collective.
void save_rows(DatasetWriter& writer, const std::string& path, const Communicator& communicator,
               const ParticleStore& store, ColumnId column, Index atoms);

/// Back into the locals' rows, wherever atoms are now: every id on one rank. Collective. IoError
/// when the dataset is that of another number of atoms.
void restore_rows(DatasetReader& reader, const std::string& path, const Communicator& communicator,
                  ParticleStore& store, ColumnId column, Index atoms);

/// The locals' rows of one column into another of the same row size.
void copy_rows(ParticleStore& store, ColumnId from, ColumnId to);

}  // namespace gsim::md
