// The state of a simulation in checkpoints: rows in the order of ids, so that any number of ranks
// can restore it.

#include <array>

#include "gsim/domain/particle_health.hpp"
#include "gsim/engine/particle_state.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {
namespace {

/// The columns from which a run continues. Forces follow from them, and ids are the row numbers.
std::vector<ColumnId> state_columns(const Particles& p) {
  std::vector<ColumnId> columns = {p.store.position(), p.image, p.velocity, p.type, p.atom_class};
  if (p.charge.index >= 0) columns.push_back(p.charge);
  if (p.molecule.index >= 0) columns.push_back(p.molecule);
  return columns;
}

}  // namespace

void Simulation::save(DatasetWriter& writer) const {
  const Particles& p = *parts_.particles;
  save_particles(writer, "atoms", options_.communicator, p.store, options_.atoms, state_columns(p));
  std::vector<double> vectors;
  for (const Vector3& v : {box_.origin(), box_.lengths(), box_.tilts()})
    vectors.insert(vectors.end(), v.begin(), v.end());
  writer.write("box/vectors", vectors, 3);
  parts_.integrator->save(writer);
  for (const auto& observer : parts_.observers) observer->save(writer);
}

void Simulation::restore(DatasetReader& reader) {
  Particles& p = *parts_.particles;
  restore_particles(reader, "atoms", options_.communicator, p.store, options_.atoms,
                    state_columns(p));
  const auto v = reader.read<double>("box/vectors");
  box_ = Box({v.at(0), v.at(1), v.at(2)}, {v.at(3), v.at(4), v.at(5)}, {v.at(6), v.at(7), v.at(8)},
             {box_.boundary(0), box_.boundary(1), box_.boundary(2)});
  parts_.integrator->restore(reader);
  for (const auto& observer : parts_.observers) observer->restore(reader);
  update_box();
}

void Simulation::keep_valid_state(Index step) {
  const ParticleStore& store = parts_.particles->store;
  last_valid_.step = step;
  last_valid_.locals = store.locals();
  last_valid_.box = box_;
  std::vector<ColumnId> columns = state_columns(*parts_.particles);
  columns.push_back(store.id());
  last_valid_.columns.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto& rows = last_valid_.columns[c];
    rows.resize(static_cast<std::size_t>(last_valid_.locals * store.column(columns[c]).row_bytes));
    if (!rows.empty())
      store.executor().copy_to_host(rows.data(), store.data(columns[c]), rows.size());
  }
}

Index Simulation::restore_last_valid() {
  ParticleStore& store = parts_.particles->store;
  store.resize_locals(last_valid_.locals);
  std::vector<ColumnId> columns = state_columns(*parts_.particles);
  columns.push_back(store.id());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto& rows = last_valid_.columns.at(c);
    if (!rows.empty())
      store.executor().copy_from_host(store.data(columns[c]), rows.data(), rows.size());
  }
  box_ = last_valid_.box.value();
  return last_valid_.step;
}

std::uint64_t Simulation::state_digest() const {
  const Particles& p = *parts_.particles;
  return particle_digest(options_.communicator, p.store,
                         std::array{p.store.position(), p.image, p.velocity}, options_.atoms);
}

}  // namespace gsim::md
