#pragma once
// A small run with prescribed motion of the atoms, for tests of trajectory writers.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gsim/io/memory_datasets.hpp"
#include "src/modules/md/sampling/atom_rows.hpp"
#include "src/modules/md/trajectories/make_trajectory.hpp"
#include "support/folder_contents.hpp"
#include "unit/md/observers/observed_system.hpp"

namespace gsim::md {

inline constexpr Index toy_atoms = 11;

inline Box toy_box(bool tilted) {
  return Box(
      {-1, 0.5, 0}, {8, 6, 7}, tilted ? Vector3{2, -1, 0.5} : Vector3{},
      {Boundary::periodic, Boundary::periodic, tilted ? Boundary::periodic : Boundary::open});
}

/// Atoms at `step`: they cross faces; every third is of type B.
inline std::vector<ObservedAtom> toy_atoms_at(const Box& box, Index step) {
  std::vector<ObservedAtom> atoms;
  for (Index i = 0; i < toy_atoms; ++i) {
    const double x = static_cast<double>(i), t = static_cast<double>(step) * 0.01;
    ObservedAtom atom =
        atom_at(box, {0.7 * x + 3 * t, 1.1 * x - t, 0.5 * x + 0.1 * t}, i % 3 == 2 ? 1 : 0);
    atom.velocity = {3.0, -1.0 / (x + 1), 0.1};
    atom.charge = 0.25 * x - 1;
    atoms.push_back(atom);
  }
  return atoms;
}

struct ToyRun {
  int ranks = 1;
  bool tilted = true;
  UnitSystem units = UnitSystem::lj;
  bool charges = false;
  Index first = 0, last = 40;          ///< steps
  MemoryDatasets::Contents from = {};  ///< a checkpoint; empty: a fresh run
  bool finishes = true;
  std::vector<Index> given_ids = {};
  const Topology* topology = nullptr;
  const BondedParameters* bonded = nullptr;
  std::vector<std::int64_t> molecules = {};                      ///< by index
  std::vector<std::string> type_names = {}, type_elements = {};  ///< in place of A and B
};

struct ToyEnd {
  MemoryDatasets::Contents checkpoint;
  std::uint64_t digest = 0;
};

/// Runs steps [first, last] with the trajectories of `configs`; files are named after `output`.
inline ToyEnd run_toy(const ToyRun& run, const std::vector<TrajectoryConfig>& configs,
                      const std::string& output) {
  ToyEnd end;
  run_in_process(run.ranks, [&](const Communicator& c) {
    const Box box = toy_box(run.tilted);
    const auto begin = toy_atoms_at(box, run.first);
    ObservedSystem system(c, box, begin, {1.5, 40}, 1, run.charges);
    system.setup.units = &units_of(run.units);
    system.setup.output = output;
    system.setup.quanta = {0x1p-10, 0x1p-10};
    system.setup.given_ids = run.given_ids;
    system.setup.topology = run.topology;
    system.setup.bonded = run.bonded;
    if (!run.molecules.empty())
      system.setup.molecules = [&run](IndexRange atoms) {
        return std::vector<std::int64_t>(run.molecules.begin() + atoms.first,
                                         run.molecules.begin() + atoms.last);
      };
    if (!run.type_names.empty()) system.setup.type_names = run.type_names;
    system.setup.type_elements = run.type_elements;
    system.setup.type_charges = {0.5, -1};
    const auto observers = make_trajectories(configs, system.setup);
    system.start(begin);
    if (!run.from.datasets.empty()) {
      MemoryDatasets memory(c, run.from);
      for (const auto& observer : observers) observer->restore(memory);
    }
    Thermo thermo;
    for (Index step = run.first; step <= run.last; ++step) {
      system.update(toy_atoms_at(box, step));
      ParticleStore& store = system.particles.store;
      for (Index i = 0; i < store.locals(); ++i)
        store.view<std::array<std::int64_t, 3>>(system.particles.force)[i] = {
            system.particles.ids()[i] * 1024, step * 512, -1};
      thermo.temperature = static_cast<double>(step) / 4;
      for (int v = 0; v < 6; ++v) thermo.pressure_tensor[v] = v + 1;
      for (const auto& observer : observers)
        if (observer->next(step) == step) observer->observe(system.snapshot(step, &thermo));
    }
    MemoryDatasets memory(c);
    save_rows(memory, "atoms/type", c, system.particles.store, system.particles.type, toy_atoms);
    if (run.charges)
      save_rows(memory, "atoms/charge", c, system.particles.store, system.particles.charge,
                toy_atoms);
    for (const auto& observer : observers) observer->save(memory);
    if (c.is_root()) end.checkpoint = memory.contents();
    if (run.finishes)
      for (const auto& observer : observers) observer->write_results(memory);
    std::uint64_t digest = 0;
    for (const auto& observer : observers) digest ^= observer->digest();
    if (c.is_root()) end.digest = digest;
  });
  return end;
}

}  // namespace gsim::md
