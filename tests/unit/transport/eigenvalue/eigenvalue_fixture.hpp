#pragma once
// Eigenvalue calculations of systems that are given as config.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "src/modules/transport/eigenvalue/entropy.hpp"
#include "src/modules/transport/eigenvalue/generation_statistics.hpp"
#include "src/modules/transport/eigenvalue/generations.hpp"
#include "src/modules/transport/extensions.hpp"
#include "src/modules/transport/geometry/geometry.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

namespace gsim::transport {

/// Geometry and cross sections of a configuration, in host memory.
struct EigenvalueSystem {
  Geometry geometry;
  MaterialSet materials;
  MaterialTables tables;

  explicit EigenvalueSystem(const std::string& text) : EigenvalueSystem(read(text)) {}

  HistoriesArgs args(const HistoryRules& rules, std::uint64_t seed) const {
    HistoriesArgs args;
    args.geometry = geometry.view();
    args.materials = tables.view();
    args.rules = rules;
    args.key = stream_key({seed, Purpose::transport_history});
    return args;
  }

 private:
  struct SystemConfig {
    MaterialSet materials;
    GeometryConfig geometry;
  };
  static SystemConfig read(const std::string& text) {
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    SystemConfig result;
    file.read([&](Section& top) {
      describe_materials(top, result.materials);
      describe_geometry(top, result.geometry, Extensions::builtin().surfaces);
    });
    validate_geometry(result.geometry);
    return result;
  }
  static std::vector<std::string> names(const MaterialSet& set) {
    std::vector<std::string> names;
    for (const Material& m : set.materials) names.push_back(m.name);
    return names;
  }
  explicit EigenvalueSystem(SystemConfig config)
      : geometry(build_geometry(config.geometry, names(config.materials))),
        materials(std::move(config.materials)),
        tables(test::host_tables(materials)) {}
};

/// Settings of an eigenvalue calculation.
struct EigenvalueRun {
  HistoryRules rules;
  Index particles = 2000;
  Index inactive = 20, active = 100;
  Vector3 start;  ///< position of all neutrons of the initial source
  std::uint64_t seed = 5;
};

struct EigenvalueOutcome {
  std::vector<double> collision, absorption,
      track_length;                 ///< k of active generations, by estimator
  std::vector<FissionSite> source;  ///< fission sites after the last generation, of all ranks
  std::int64_t lost = 0;            ///< number of lost particles
  Combination k;                    ///< combined estimate
};

/// Runs all generations on the ranks of `comm`.
inline EigenvalueOutcome solve(const EigenvalueSystem& system, const EigenvalueRun& run,
                               Communicator comm, int threads = 1) {
  Generations generations(comm, Executor::host(threads), system.args(run.rules, run.seed),
                          run.particles, run.seed);
  const IndexRange own_range = partition({0, run.particles}, comm.size(), comm.rank());
  generations.set_source(std::vector<FissionSite>(static_cast<std::size_t>(own_range.size()),
                                                  FissionSite{.position = run.start}));
  EigenvalueOutcome outcome;
  double k = 1;
  for (Index g = 0; g < run.inactive + run.active; ++g) {
    const BatchSums sums = generations.run(g, k);
    k = sums.k_collision;
    outcome.lost += sums.lost;
    if (g < run.inactive) continue;
    outcome.collision.push_back(sums.k_collision);
    outcome.absorption.push_back(sums.k_absorption);
    outcome.track_length.push_back(sums.k_track_length);
  }
  outcome.source = comm.allgather(std::span<const FissionSite>(generations.source_on_host()));
  outcome.k = combine({outcome.collision, outcome.absorption, outcome.track_length});
  return outcome;
}

}  // namespace gsim::transport
