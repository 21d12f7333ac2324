// The gsim program with the toy modules, for tests/cli and tests/fault.

#include "app.hpp"
#include "gsim/modules/builtin.hpp"
#include "support/toys/toy_sampler.hpp"
#include "support/toys/toy_walkers.hpp"

int main(int argc, char** argv) {
  gsim::Registry registry;
  gsim::register_builtin_modules(registry);
  registry.add({"sampler", "estimates pi", [] { return std::make_unique<gsim::toys::Sampler>(); }});
  registry.add({"walkers", "walks", [] { return std::make_unique<gsim::toys::Walkers>(); }});
  return gsim::app::run_command_line(argc, argv, registry);
}
