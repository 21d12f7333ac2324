// The state of a simulation in files: rows in the order of ids, so that any number of ranks can go
// on from it.

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {
namespace {

/// Columns that a trajectory goes on from; forces follow from them, and ids are the row numbers.
std::vector<ColumnId> state_columns(const Particles& p) {
  std::vector<ColumnId> columns = {p.store.position(), p.image, p.velocity, p.type, p.motion_class};
  if (p.charge.index >= 0) columns.push_back(p.charge);
  if (p.molecule.index >= 0) columns.push_back(p.molecule);
  return columns;
}

DatasetShape shape_of(const ParticleStore::Column& column, Index rows) {
  return {column.type, rows, column.components};
}

}  // namespace

void Simulation::save(DatasetWriter& writer) const {
  const Communicator& comm = options_.communicator;
  const ParticleStore& store = parts_.particles->store;
  const IndexRange mine = partition({0, options_.atoms}, comm.size(), comm.rank());
  for (const ColumnId id : state_columns(*parts_.particles)) {
    const auto& column = store.column(id);
    const std::vector<std::byte> rows = rows_by_id(comm, store, id, options_.atoms);
    writer.write_rows("atoms/" + column.name, shape_of(column, options_.atoms), mine, rows.data());
  }
  std::vector<double> vectors;
  for (const Vector3& v : {box_.origin(), box_.lengths(), box_.tilts()})
    vectors.insert(vectors.end(), v.begin(), v.end());
  writer.write("box/vectors", vectors, 3);
  parts_.motion->save(writer);
  for (const auto& observer : parts_.observers) observer->save(writer);
}

void Simulation::restore(DatasetReader& reader) {
  const Communicator& comm = options_.communicator;
  ParticleStore& store = parts_.particles->store;
  const IndexRange mine = partition({0, options_.atoms}, comm.size(), comm.rank());
  store.resize_locals(mine.size());
  for (const ColumnId id : state_columns(*parts_.particles)) {
    const auto& column = store.column(id);
    const std::string path = "atoms/" + column.name;
    const DatasetShape shape = reader.shape(path);
    if (shape.rows != options_.atoms || shape.columns != column.components)
      throw IoError("checkpoint: " + path + " does not hold the atoms of this run");
    std::vector<std::byte> rows(static_cast<std::size_t>(mine.size() * column.row_bytes));
    reader.read_rows(path, column.type, mine, rows.data());
    if (!rows.empty()) store.executor().copy_from_host(store.data(id), rows.data(), rows.size());
  }
  std::vector<std::int64_t> ids(static_cast<std::size_t>(mine.size()));
  std::iota(ids.begin(), ids.end(), mine.first);
  if (!ids.empty())
    store.executor().copy_from_host(store.data(store.id()), ids.data(), ids.size() * 8);
  const auto v = reader.read<double>("box/vectors");
  box_ = Box({v.at(0), v.at(1), v.at(2)}, {v.at(3), v.at(4), v.at(5)}, {v.at(6), v.at(7), v.at(8)},
             {box_.boundary(0), box_.boundary(1), box_.boundary(2)});
  parts_.motion->restore(reader);
  for (const auto& observer : parts_.observers) observer->restore(reader);
  follow_box();
}

void Simulation::keep(Index step) {
  const ParticleStore& store = parts_.particles->store;
  kept_.step = step;
  kept_.locals = store.locals();
  kept_.box = box_;
  std::vector<ColumnId> columns = state_columns(*parts_.particles);
  columns.push_back(store.id());
  kept_.columns.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto& rows = kept_.columns[c];
    rows.resize(static_cast<std::size_t>(kept_.locals * store.column(columns[c]).row_bytes));
    if (!rows.empty())
      store.executor().copy_to_host(rows.data(), store.data(columns[c]), rows.size());
  }
}

Index Simulation::go_back() {
  ParticleStore& store = parts_.particles->store;
  store.resize_locals(kept_.locals);
  std::vector<ColumnId> columns = state_columns(*parts_.particles);
  columns.push_back(store.id());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto& rows = kept_.columns.at(c);
    if (!rows.empty())
      store.executor().copy_from_host(store.data(columns[c]), rows.data(), rows.size());
  }
  box_ = kept_.box.value();
  return kept_.step;
}

std::uint64_t Simulation::state_digest() const {
  const Communicator& comm = options_.communicator;
  const Particles& p = *parts_.particles;
  const IndexRange mine = partition({0, options_.atoms}, comm.size(), comm.rank());
  Digest digest;
  for (const ColumnId id : {p.store.position(), p.image, p.velocity}) {
    const std::vector<std::byte> rows = rows_by_id(comm, p.store, id, options_.atoms);
    const auto row_bytes = static_cast<std::size_t>(p.store.column(id).row_bytes);
    constexpr Index piece = 16384;  // so that rank 0 needs not hold the rows of all
    for (Index first = 0; first < options_.atoms; first += piece) {
      const Index begin = std::clamp(first, mine.first, mine.last);
      const Index end = std::clamp(first + piece, mine.first, mine.last);
      digest.bytes(comm.gather(
          std::span(rows).subspan(static_cast<std::size_t>(begin - mine.first) * row_bytes,
                                  static_cast<std::size_t>(end - begin) * row_bytes)));
    }
  }
  return comm.broadcast(digest.value());
}

}  // namespace gsim::md
