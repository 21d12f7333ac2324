#pragma once
// Particles in checkpoints and results: columns of a ParticleStore, saved and restored as global
// datasets in the order of ids, on any number of ranks.

#include <span>
#include <string_view>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// Saves columns of the local particles of all ranks as datasets `group`/NAME with one row for each
/// particle (row i is that of id i) and one column for each component. Without `columns` all
/// columns are saved except the ids, which are the row numbers. Ghosts are not saved. Ids must be 0
/// to total - 1, each once over all ranks: NumericalError on all ranks where they are not. Used for
/// checkpoints and results. Collective.
void save_particles(DatasetWriter& writer, std::string_view group, const Communicator& communicator,
                    const ParticleStore& store, Index total,
                    std::span<const ColumnId> columns = {});

/// Replaces the contents of `store` by the particles of such datasets, on any number of ranks: each
/// rank gets an equal share of ids, independent of positions; Migrator::migrate() then sends them
/// to their owners. Columns that were not saved are zero. IoError for a dataset that is missing, or
/// of another type or shape. Collective.
void restore_particles(DatasetReader& reader, std::string_view group,
                       const Communicator& communicator, ParticleStore& store, Index total,
                       std::span<const ColumnId> columns = {});

/// Writes the Cartesian coordinates of all particles as dataset `path`: float64, one row for each
/// particle in the order of ids, 3 columns. For results; checkpoints hold the exact "position".
/// NumericalError as save_particles(). Collective.
void write_coordinates(DatasetWriter& writer, std::string_view path,
                       const Communicator& communicator, const ParticleStore& store, const Box& box,
                       Index total);

}  // namespace gsim
