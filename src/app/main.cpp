#include "app.hpp"
#include "gsim/modules/builtin.hpp"

int main(int argc, char** argv) {
  gsim::Registry registry;
  gsim::register_builtin_modules(registry);
  return gsim::app::run_command_line(argc, argv, registry);
}
