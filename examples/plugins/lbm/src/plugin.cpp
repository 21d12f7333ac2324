// Registers the module when gsim loads the plugin.

#include <memory>

#include <gsim/engine/plugin.hpp>

#include "lbm_module.hpp"

namespace {

// The example that `gsim plugin check` runs: moving walls, a force, edges and a periodic axis, on a
// lattice that no number of ranks divides evenly.
constexpr const char* example = R"(
module = "lbm"
[lattice]
cells = [19, 14, 9]
[lattice.y]
upper_velocity = [0.1, 0.0, 0.02]
[lattice.z]
lower_velocity = [0.0, -0.05, 0.0]
[fluid]
viscosity = 0.05
force = [1e-4, 0.0, -2e-4]
steps = 40
observe_every = 10
[start]
kind = "rest"
[probes]
places = [[3.0, 4.5, 2.2], [19.0, 13.5, 8.5]]
)";

std::unique_ptr<gsim::Module> make_lbm_module() { return std::make_unique<lbm::LbmModule>(); }

}  // namespace

GSIM_PLUGIN(
    "lbm", "1.0", "MIT", "flow by the lattice Boltzmann method", [](gsim::Registry& registry) {
      registry.add({"lbm", "flow by the lattice Boltzmann method", make_lbm_module, example});
    })
