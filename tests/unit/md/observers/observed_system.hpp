#pragma once
// Atoms whose positions and velocities a test of observers sets directly, on any number of ranks.

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/sampling/output_setup.hpp"
#include "support/test_executor.hpp"

namespace gsim::md {

/// One atom; its id is its index in the list.
struct ObservedAtom {
  FixedPosition position{};
  ImageCount image{};
  Vector3 velocity{};
  std::int32_t type = 0;
  double charge = 0;
};

/// An atom at a point that may be outside of the box.
inline ObservedAtom atom_at(const Box& box, const Vector3& point, std::int32_t type = 0) {
  ObservedAtom atom;
  atom.position = box.to_fixed(point, atom.image);
  atom.type = type;
  return atom;
}

class ObservedSystem {
 public:
  ObservedSystem(Communicator communicator, const Box& box, const std::vector<ObservedAtom>& atoms,
                 const std::vector<double>& masses, int threads = 1, bool charges = false)
      : box(box),
        setup{{gsim::test::test_executor(threads), communicator, &units_of(UnitSystem::lj)}},
        particles(setup.executor, {.charges = charges}),
        decomposition_(box, communicator.size()),
        migrator_(communicator, setup.executor, BufferPath::host),
        plan_(communicator) {
    setup.time_step = 0.5;
    setup.atoms = static_cast<Index>(atoms.size());
    setup.type_masses = masses;
    setup.type_counts.assign(masses.size(), 0);
    setup.type_charges.assign(masses.size(), 0);
    for (std::size_t t = 0; t < masses.size(); ++t)
      setup.type_names.push_back(std::string(1, static_cast<char>('A' + t)));
    for (const ObservedAtom& a : atoms) ++setup.type_counts[static_cast<std::size_t>(a.type)];
  }

  /// Creates the atoms, after observers have added their columns, and ghosts out to `reach`.
  void start(const std::vector<ObservedAtom>& atoms, double reach = 0) {
    const IndexRange own_range =
        partition({0, setup.atoms}, setup.communicator.size(), setup.communicator.rank());
    particles.store.make_locals(own_range);
    update(atoms, reach);
  }

  /// Sets the state of all atoms and migrates them to their owners.
  void update(const std::vector<ObservedAtom>& atoms, double reach = 0) {
    ParticleStore& store = particles.store;
    store.resize_ghosts(0);
    const auto ids = store.to_host<std::int64_t>(store.id());
    const auto set = [&](ColumnId column, auto ObservedAtom::*member) {
      std::vector<std::remove_cvref_t<decltype(atoms[0].*member)>> rows;
      for (const std::int64_t id : ids) rows.push_back(atoms[static_cast<std::size_t>(id)].*member);
      store.assign(column, rows);
    };
    set(store.position(), &ObservedAtom::position);
    set(particles.image, &ObservedAtom::image);
    set(particles.velocity, &ObservedAtom::velocity);
    set(particles.type, &ObservedAtom::type);
    if (particles.has_charges()) set(particles.charge, &ObservedAtom::charge);
    migrator_.migrate(store, decomposition_);
    if (reach > 0) plan_.build(store, box, decomposition_, reach);
  }

  Snapshot snapshot(Index step, const Thermo* thermo = nullptr) {
    return {step,
            static_cast<double>(step) * setup.time_step,
            particles,
            box,
            setup.communicator,
            setup.atoms,
            thermo};
  }

  Box box;
  OutputSetup setup;
  Particles particles;

 private:
  Decomposition decomposition_;
  Migrator migrator_;
  HaloPlan plan_;
};

}  // namespace gsim::md
