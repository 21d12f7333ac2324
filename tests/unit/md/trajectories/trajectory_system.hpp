#pragma once
// A small system whose atoms move in a prescribed way, for tests of trajectory writers.

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

inline constexpr Index atom_count = 11;

inline Box trajectory_box(bool tilted) {
  return Box(
      {-1, 0.5, 0}, {8, 6, 7}, tilted ? Vector3{2, -1, 0.5} : Vector3{},
      {Boundary::periodic, Boundary::periodic, tilted ? Boundary::periodic : Boundary::open});
}

/// Atoms at `step`. They cross faces of the box; every third one has type B.
inline std::vector<ObservedAtom> atoms_at_step(const Box& box, Index step) {
  std::vector<ObservedAtom> atoms;
  for (Index i = 0; i < atom_count; ++i) {
    const double x = static_cast<double>(i), t = static_cast<double>(step) * 0.01;
    ObservedAtom atom =
        atom_at(box, {0.7 * x + 3 * t, 1.1 * x - t, 0.5 * x + 0.1 * t}, i % 3 == 2 ? 1 : 0);
    atom.velocity = {3.0, -1.0 / (x + 1), 0.1};
    atom.charge = 0.25 * x - 1;
    atoms.push_back(atom);
  }
  return atoms;
}

/// A part of a run of steps 0 to 40 that writes trajectories.
struct TrajectoryRun {
  int ranks = 1;
  bool tilted = true;
  UnitSystem units = UnitSystem::lj;
  bool charges = false;                      ///< whether atoms have charges of their own
  Index first = 0, last = 40;                ///< first and last step of this part
  MemoryDatasets::Contents checkpoint = {};  ///< state to resume from; empty: a new run
  bool finish = true;                 ///< whether files are completed, as at the end of a run
  std::vector<Index> given_ids = {};  ///< AtomSystem::given_ids
  const Topology* topology = nullptr;
  const BondedParameters* bonded = nullptr;
  std::vector<std::int64_t> molecules = {};                      ///< molecule of each atom
  std::vector<std::string> type_names = {}, type_elements = {};  ///< replace the names A and B
};

struct TrajectoryRunResult {
  MemoryDatasets::Contents checkpoint;
  std::uint64_t digest = 0;
};

/// Runs steps [first, last] with the trajectories of `configs`; files are named after `output`.
inline TrajectoryRunResult write_trajectories(const TrajectoryRun& run,
                                              const std::vector<TrajectoryConfig>& configs,
                                              const std::string& output) {
  TrajectoryRunResult end;
  run_in_process(run.ranks, [&](const Communicator& c) {
    const Box box = trajectory_box(run.tilted);
    const auto initial = atoms_at_step(box, run.first);
    ObservedSystem system(c, box, initial, {1.5, 40}, 1, run.charges);
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
    system.start(initial);
    if (!run.checkpoint.datasets.empty()) {
      MemoryDatasets memory(c, run.checkpoint);
      for (const auto& observer : observers) observer->restore(memory);
    }
    Thermo thermo;
    for (Index step = run.first; step <= run.last; ++step) {
      system.update(atoms_at_step(box, step));
      ParticleStore& store = system.particles.store;
      std::vector<std::array<std::int64_t, 3>> forces;
      for (const std::int64_t id : store.to_host<std::int64_t>(store.id()))
        forces.push_back({id * 1024, step * 512, -1});
      store.assign(system.particles.force, forces);
      thermo.temperature = static_cast<double>(step) / 4;
      for (int v = 0; v < 6; ++v) thermo.pressure_tensor[v] = v + 1;
      for (const auto& observer : observers)
        if (observer->next(step) == step) observer->observe(system.snapshot(step, &thermo));
    }
    MemoryDatasets memory(c);
    save_rows(memory, "atoms/type", c, system.particles.store, system.particles.type, atom_count);
    if (run.charges)
      save_rows(memory, "atoms/charge", c, system.particles.store, system.particles.charge,
                atom_count);
    for (const auto& observer : observers) observer->save(memory);
    if (c.is_root()) end.checkpoint = memory.contents();
    if (run.finish)
      for (const auto& observer : observers) observer->write_results(memory);
    std::uint64_t digest = 0;
    for (const auto& observer : observers) digest ^= observer->digest();
    if (c.is_root()) end.digest = digest;
  });
  return end;
}

}  // namespace gsim::md
