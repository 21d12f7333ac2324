#include "src/modules/md/elements.hpp"

#include <doctest/doctest.h>

#include "src/modules/md/setup/start_config.hpp"

using namespace gsim;
using namespace gsim::md;

TEST_CASE("elements are found by symbol, atomic number and mass") {
  CHECK(chemical_elements().size() == 118);
  CHECK(element_named("Cu") == element_numbered(29));
  CHECK(element_numbered(118)->symbol == "Og");
  CHECK(element_named("cu") == nullptr);
  CHECK(element_named("1") == nullptr);
  CHECK(element_numbered(0) == nullptr);
  CHECK(element_numbered(119) == nullptr);
  CHECK(element_of_mass(15.9994, 0.0125)->symbol == "O");
  CHECK(element_of_mass(14.027, 0.0125) == nullptr);  // CH2, not N
  for (const ChemicalElement& e : chemical_elements()) CHECK(element_named(e.symbol) == &e);
}

TEST_CASE("an atom type's element is the configured one, or that of its name or mass") {
  StartConfig config;
  config.types = {{"C3", 12.011, 0, {}, "C"}, {"Cu", 63.5}, {"1", 1.008}, {"bead", 5}};
  config.units = &units_of(UnitSystem::real);
  CHECK(config.type_elements() == std::vector<std::string>{"C", "Cu", "H", ""});
  config.units = &units_of(UnitSystem::lj);
  CHECK(config.type_elements() == std::vector<std::string>{"C", "Cu", "", ""});
}
