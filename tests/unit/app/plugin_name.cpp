// Names that `gsim plugin new` refuses because they could not be compiled, built or loaded.

#include "src/app/plugin/plugin_name.hpp"

#include <doctest/doctest.h>

#include "gsim/modules/builtin.hpp"
#include "src/app/plugin/skeleton.hpp"

using namespace gsim;
using namespace gsim::app;

TEST_CASE("plugin names: reserved words of C++, CMake and gsim are refused for every kind") {
  Registry registry;
  register_builtin_modules(registry);
  for (const std::string& kind : plugin_kinds()) {
    CAPTURE(kind);
    for (const char* name : {"heat", "lattice_gas", "x", "h2o", "exp", "walkers"}) {
      CAPTURE(name);
      CHECK(name_problem(kind, name, registry) == "");
    }
    for (const char* name :
         {"",        "2d",    "Heat",    "a-b",     "a b", "../a",    "a_",       "a__b",
          "class",   "int",   "not_eq",  "concept", "std", "gsim",    "all",      "test",
          "install", "clean", "package", "help",    "md",  "pricing", "transport"}) {
      CAPTURE(name);
      CHECK(name_problem(kind, name, registry) != "");
    }
  }
}

TEST_CASE("plugin names: the name of a built-in part is refused for parts of the same kind only") {
  Registry registry;
  register_builtin_modules(registry);
  for (const auto& [kind, name] : {std::pair{"payoff", "european"},
                                   {"payoff", "asian"},
                                   {"potential", "lennard_jones"},
                                   {"potential", "wca"},
                                   {"potential", "table"},
                                   {"source", "point"},
                                   {"module", "seed"},
                                   {"module", "stop"},
                                   {"module", "checkpoint"}}) {
    CAPTURE(name);
    for (const std::string& new_kind : plugin_kinds()) {
      // The kinds for a grid and for particles are modules as well.
      const bool is_module = new_kind == "module" || new_kind == "grid" || new_kind == "particles";
      const bool is_same_kind = new_kind == kind || (std::string(kind) == "module" && is_module);
      CHECK((name_problem(new_kind, name, registry) != "") == is_same_kind);
    }
  }
  registry.add({"walkers", "from a plugin", [] { return std::unique_ptr<Module>(); }});
  CHECK(name_problem("module", "walkers", registry) == "is the name of an existing module");
}
