// Registration of the plugin.

#include <gsim/engine/plugin.hpp>

#include "dpd_module.hpp"

namespace {

// The example that `gsim plugin check` runs: long enough to be stopped and resumed, shorter than a
// second.
constexpr const char* example = R"(
module = "dpd"
[dpd]
particles = 648
length = 6.0
steps = 40
[thermo]
every = 2
)";

}  // namespace

GSIM_PLUGIN("dpd", "0.1", "MIT", "dissipative particle dynamics", [](gsim::Registry& registry) {
  registry.add({"dpd", "dissipative particle dynamics",
                [] { return std::make_unique<dpd::DpdModule>(); }, example});
})
