#include <gsim/engine/plugin.hpp>
#include <gsim/md/pair_potentials/potential_kind.hpp>

#include "skeleton.hpp"

GSIM_DECLARE_PAIR_LAUNCHERS(skeleton, Skeleton)

namespace {

// The example that `gsim plugin check` runs: a fluid of 864 atoms that move between ranks.
constexpr const char* example = R"(
module = "md"
[md]
steps = 60
time_step = 0.003
[[type]]
name = "A"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.7
cells = [6, 6, 6]
temperature = 2.0
[pair]
cutoff = 2.2
[[pair.potential]]
kind = "skeleton"
smoothing = "force_shift"
epsilon = 1.0
sigma = 1.0
[thermo]
every = 10
)";

void add(gsim::Registry& registry) {
  gsim::md::PotentialKind kind = GSIM_PAIR_POTENTIAL(skeleton, Skeleton);
  kind.example = example;
  registry.extend(kind);
}

}  // namespace

GSIM_PLUGIN("skeleton", "0.1", "MIT", "soft spheres for molecular dynamics", add)
