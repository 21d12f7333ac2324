// The registration of the potential, which gsim calls when it loads the plugin.

#include <gsim/engine/plugin.hpp>
#include <gsim/md/many_body/three_body_kind.hpp>

#include "stillinger_weber.hpp"

GSIM_DECLARE_THREE_BODY_LAUNCHERS(stillinger_weber)

namespace {

// The example that `gsim plugin check` runs: hot silicon, whose atoms move between ranks.
constexpr const char* example = R"(
module = "md"
[md]
units = "metal"
steps = 60
time_step = 0.001
skin = 0.4
[[type]]
name = "Si"
mass = 28.0855
[start]
kind = "lattice"
lattice = "diamond"
constant = 5.431
cells = [3, 3, 4]
temperature = 4000.0
[triplet]
kind = "stillinger_weber"
[thermo]
every = 10
)";

void add(gsim::Registry& registry) {
  gsim::md::ThreeBodyKind kind = GSIM_THREE_BODY_POTENTIAL(stillinger_weber, StillingerWeber);
  kind.example = example;
  registry.extend(kind);
}

}  // namespace

GSIM_PLUGIN("stillinger_weber", "1.0", "MIT", "the Stillinger-Weber potential of silicon", add)
