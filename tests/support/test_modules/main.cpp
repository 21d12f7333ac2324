// The gsim program with two further modules that only tests use: `sampler` and `walkers`.

#include "app.hpp"
#include "gsim/modules/builtin.hpp"
#include "support/test_modules/lattice_walkers.hpp"
#include "support/test_modules/pi_sampler.hpp"

int main(int argc, char** argv) {
  gsim::Registry registry;
  gsim::register_builtin_modules(registry);
  registry.add(
      {"sampler", "estimates pi", [] { return std::make_unique<gsim::test_modules::Sampler>(); }});
  registry.add({"walkers", "random walks on a lattice",
                [] { return std::make_unique<gsim::test_modules::Walkers>(); }});
  return gsim::app::run_command_line(argc, argv, registry);
}
