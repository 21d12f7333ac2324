#pragma once
// Random particles that every rank can generate, and stores filled with them.

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/particle_store.hpp"

namespace gsim::test {

using Partners = std::array<std::int32_t, 5>;  // 20 bytes: not a multiple of 8

/// The data of a particle, computed from its id.
inline std::array<double, 3> velocity_of(Index id) {
  return {id + 0.25, -1.0 * id, 1.0 / (id + 1)};
}
inline Partners partners_of(Index id) {
  const auto i = static_cast<std::int32_t>(id);
  return {i, i + 1, i + 2, -i, 7};
}

inline std::vector<FixedPosition> random_positions(const Box& box, Index count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<FixedPosition> positions(static_cast<std::size_t>(count));
  for (FixedPosition& p : positions)
    for (int a = 0; a < 3; ++a) {
      const std::uint64_t x = random();
      // on an open axis the middle half of the range, which particles may occupy
      p.x[a] = box.boundary(a) == Boundary::periodic ? x : (std::uint64_t{1} << 62) + x / 2;
    }
  return positions;
}

struct Columns {
  ColumnId velocity, partners;
};
inline Columns add_columns(ParticleStore& store) {
  return {store.add_column("velocity", ElementType::float64, 3, Ghosts::none),
          store.add_column("partners", ElementType::int32, 5, Ghosts::copied)};
}

/// Fills the store with local particles (owned by this rank) that have the given ids.
inline void fill(ParticleStore& store, const Columns& columns,
                 const std::vector<FixedPosition>& positions, const std::vector<Index>& ids) {
  store.resize_locals(static_cast<Index>(ids.size()));
  std::vector<FixedPosition> position;
  std::vector<std::array<double, 3>> velocity;
  std::vector<Partners> partners;
  for (const Index id : ids) {
    position.push_back(positions[static_cast<std::size_t>(id)]);
    velocity.push_back(velocity_of(id));
    partners.push_back(partners_of(id));
  }
  store.assign(store.position(), position);
  store.assign(store.id(), ids);
  store.assign(columns.velocity, velocity);
  store.assign(columns.partners, partners);
}

/// Number of local particles whose columns do not belong to the same id.
inline int count_mixed_particles(const ParticleStore& store, const Columns& columns,
                                 const std::vector<FixedPosition>& positions) {
  const auto position = store.to_host<FixedPosition>(store.position());
  const auto id = store.to_host<std::int64_t>(store.id());
  const auto velocity = store.to_host<std::array<double, 3>>(columns.velocity);
  const auto partners = store.to_host<Partners>(columns.partners);
  int mixed = 0;
  for (std::size_t i = 0; i < id.size(); ++i)
    mixed += position[i] != positions[static_cast<std::size_t>(id[i])] ||
             velocity[i] != velocity_of(id[i]) || partners[i] != partners_of(id[i]);
  return mixed;
}

}  // namespace gsim::test
