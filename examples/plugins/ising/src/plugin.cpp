// Registration of the plugin.

#include <memory>

#include <gsim/engine/plugin.hpp>

#include "ising_module.hpp"

namespace {

// The example that `gsim plugin check` runs. A line of the lattice has 5 words of each colour,
// which is no multiple of the number of words in a vector register at any CPU level.
constexpr const char* example = R"(
module = "ising"
[ising]
sites = [640, 10, 6]
temperature = 4.4
sweeps = 60
discard = 10
start = "random"
)";

std::unique_ptr<gsim::Module> make_ising_module() { return std::make_unique<ising::IsingModule>(); }

}  // namespace

GSIM_PLUGIN("ising", "1.0", "MIT", "the Ising model on a lattice", [](gsim::Registry& registry) {
  registry.add({"ising", "the Ising model on a lattice", make_ising_module, example});
})
