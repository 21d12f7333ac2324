#include "gsim/engine/registry.hpp"

#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "support/test_modules/pi_sampler.hpp"

using namespace gsim;

namespace {

struct PairPart {
  static constexpr char extends[] = "pair potential", module[] = "md";
  std::string name, doc = "between pairs", example = "";
};
struct BondPart {
  static constexpr char extends[] = "bond", module[] = "md";
  std::string_view name = "harmonic", doc = "between bonded atoms", example = "";
  bool has_force = true;
  const char* missing() const { return has_force ? nullptr : "a force"; }
};

}  // namespace

TEST_CASE("registry: parts are found by their type in the order of registration") {
  Registry registry;
  registry.extend(PairPart{"morse"});
  registry.extend(BondPart{});
  registry.extend(PairPart{"buckingham"});
  const auto pairs = registry.all<PairPart>();
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0]->name == "morse");
  CHECK(pairs[1]->name == "buckingham");
  CHECK(registry.all<BondPart>().size() == 1);
  CHECK(registry.extensions()[1].kind == "bond");
  CHECK(registry.extensions()[1].module == "md");
  const Registry copy = registry;
  registry = {};
  CHECK(copy.all<PairPart>()[0] == pairs[0]);
  CHECK(pairs[0]->name == "morse");
}

TEST_CASE("registry: a name is unique among parts of a kind") {
  Registry registry;
  registry.extend(PairPart{"harmonic"});
  registry.extend(BondPart{});
  CHECK_THROWS_WITH_AS(registry.extend(PairPart{"harmonic"}),
                       doctest::Contains("pair potential `harmonic` is registered twice"),
                       InputError);
}

TEST_CASE("registry: factories of modules get the parts of the registry") {
  Registry registry;
  registry.extend(PairPart{"morse"});
  std::size_t number_of_pairs = 0;
  registry.add({"plain", "", [] { return std::make_unique<test_modules::Sampler>(); }});
  registry.add({"with_registry", "", [&](const Registry& given_registry) {
                  number_of_pairs = given_registry.all<PairPart>().size();
                  return std::make_unique<test_modules::Sampler>();
                }});
  CHECK(registry.find("plain").factory(registry) != nullptr);
  CHECK(registry.find("with_registry").factory(registry) != nullptr);
  CHECK(number_of_pairs == 1);
}

TEST_CASE("registry: a part that lacks a function is recorded for the plugin loader") {
  Registry registry;
  registry.extend(PairPart{"morse"});
  registry.extend(BondPart{});
  registry.extend(BondPart{.name = "cosine", .has_force = false});
  const auto& extensions = registry.extensions();
  CHECK(extensions[0].missing == nullptr);
  CHECK(extensions[1].missing == nullptr);
  REQUIRE(extensions[2].missing != nullptr);
  CHECK(extensions[2].missing == std::string("a force"));
}
