// Registers the module when gsim loads the plugin.

#include <memory>

#include <gsim/engine/plugin.hpp>

#include "heat_module.hpp"

namespace {

// The example that `gsim plugin check` runs: every kind of boundary, on a grid that no number of
// ranks divides evenly.
constexpr const char* example = R"(
module = "heat"
[grid]
cells = [20, 17, 9]
spacing = [0.1, 0.1, 0.2]
[grid.y]
lower = "fixed"
lower_value = 2.0
upper = "zero_gradient"
[grid.z]
lower = "fixed_ghost"
lower_value = 1.0
upper = "fixed"
upper_value = 3.0
[heat]
diffusivity = 1.0
time_step = 0.002
steps = 60
observe_every = 10
[start]
kind = "box"
lower = [0.3, 0.0, 0.2]
upper = [1.2, 0.9, 1.1]
value = 4.0
)";

std::unique_ptr<gsim::Module> make_heat_module() { return std::make_unique<heat::HeatModule>(); }

}  // namespace

GSIM_PLUGIN("heat", "1.0", "MIT", "heat conduction on a grid", [](gsim::Registry& registry) {
  registry.add({"heat", "heat conduction on a grid", make_heat_module, example});
})
