#pragma once
// Particles as state: columns of a ParticleStore saved and restored as global datasets in the order
// of ids, on any number of ranks.

#include <span>
#include <string_view>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// Saves columns of all ranks' locals as datasets `group`/NAME, a row a particle, row i that of id
/// i, a column a component; without `columns` all columns but the ids, which are the numbers of the
/// rows. Ghosts are not saved. Ids must be 0 to total - 1, each once over all ranks: NumericalError
/// on all ranks where they are not. Serves checkpoints and results alike. Collective.
void save_particles(DatasetWriter& writer, std::string_view group, const Communicator& communicator,
                    const ParticleStore& store, Index total,
                    std::span<const ColumnId> columns = {});

/// The particles of such datasets in the place of all that `store` holds, on any number of ranks:
/// each rank gets an equal share of ids, wherever the particles are; Migrator::migrate() sends them
/// to their owners. Columns that were not saved are zero. IoError for a dataset that is missing, or
/// of another type or shape. Collective.
void restore_particles(DatasetReader& reader, std::string_view group,
                       const Communicator& communicator, ParticleStore& store, Index total,
                       std::span<const ColumnId> columns = {});

/// Writes the Cartesian coordinates of all ranks' particles as dataset `path`: float64, a row a
/// particle in the order of ids, 3 columns. For results: checkpoints keep the exact "position".
/// NumericalError as save_particles. Collective.
void write_coordinates(DatasetWriter& writer, std::string_view path,
                       const Communicator& communicator, const ParticleStore& store, const Box& box,
                       Index total);

}  // namespace gsim
