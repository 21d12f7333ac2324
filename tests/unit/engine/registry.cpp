#include "gsim/engine/registry.hpp"

#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "support/toy_sampler.hpp"

using namespace gsim;

namespace {

struct Sauce {
  static constexpr char extends[] = "sauce", module[] = "kitchen";
  std::string name, doc = "poured over", example = "";
};
struct Spice {
  static constexpr char extends[] = "spice", module[] = "kitchen";
  std::string_view name = "thyme", doc = "strewn", example = "";
  bool is_ground = true;
  const char* missing() const { return is_ground ? nullptr : "a mill"; }
};

}  // namespace

TEST_CASE("registry: what extends a module is found by its type, where it was put") {
  Registry registry;
  registry.extend(Sauce{"pesto"});
  registry.extend(Spice{});
  registry.extend(Sauce{"mole"});
  const auto sauces = registry.all<Sauce>();
  REQUIRE(sauces.size() == 2);
  CHECK(sauces[0]->name == "pesto");
  CHECK(sauces[1]->name == "mole");
  CHECK(registry.all<Spice>().size() == 1);
  CHECK(registry.extensions()[1].kind == "spice");
  CHECK(registry.extensions()[1].module == "kitchen");
  const Registry copy = registry;
  registry = {};
  CHECK(copy.all<Sauce>()[0] == sauces[0]);
  CHECK(sauces[0]->name == "pesto");
}

TEST_CASE("registry: a name is one thing of its kind") {
  Registry registry;
  registry.extend(Sauce{"thyme"});
  registry.extend(Spice{});
  CHECK_THROWS_WITH_AS(registry.extend(Sauce{"thyme"}),
                       doctest::Contains("sauce `thyme` is registered twice"), InputError);
}

TEST_CASE("registry: factories may ask what extends their module") {
  Registry registry;
  registry.extend(Sauce{"pesto"});
  std::size_t seen = 0;
  registry.add({"plain", "", [] { return std::make_unique<toys::Sampler>(); }});
  registry.add({"asking", "", [&](const Registry& all) {
                  seen = all.all<Sauce>().size();
                  return std::make_unique<toys::Sampler>();
                }});
  CHECK(registry.find("plain").factory(registry) != nullptr);
  CHECK(registry.find("asking").factory(registry) != nullptr);
  CHECK(seen == 1);
}

TEST_CASE("registry: what a thing says that it lacks is noted, for the loader of plugins") {
  Registry registry;
  registry.extend(Sauce{"pesto"});
  registry.extend(Spice{});
  registry.extend(Spice{.name = "pepper", .is_ground = false});
  const auto& found = registry.extensions();
  CHECK(found[0].missing == nullptr);
  CHECK(found[1].missing == nullptr);
  REQUIRE(found[2].missing != nullptr);
  CHECK(found[2].missing == std::string("a mill"));
}
