#include "src/modules/md/simulation/saved_atoms.hpp"

#include <array>

#include "gsim/exec/launch_graph.hpp"

namespace gsim::md {
namespace {

std::array<ColumnId, 4> moving_columns(const Particles& p) {
  return {p.store.position(), p.image, p.velocity, p.force};
}

}  // namespace

void SavedAtoms::save(const Particles& particles) {
  const ParticleStore& store = particles.store;
  const auto columns = moving_columns(particles);
  while (columns_.size() < columns.size()) columns_.emplace_back(executor_, 0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Index bytes = store.locals() * store.column(columns[c]).row_bytes;
    columns_[c].resize_uninitialised(bytes);
    copy_on_executor(executor_, columns_[c].view().data, store.data(columns[c]),
                     static_cast<std::size_t>(bytes));
  }
}

void SavedAtoms::restore(Particles& particles) const {
  ParticleStore& store = particles.store;
  const auto columns = moving_columns(particles);
  for (std::size_t c = 0; c < columns.size(); ++c)
    copy_on_executor(executor_, store.data(columns[c]), columns_[c].view().data,
                     static_cast<std::size_t>(columns_[c].size()));
}

}  // namespace gsim::md
