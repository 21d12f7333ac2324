#include "gsim/engine/grid_config.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace gsim;

namespace {

GridConfig read(const std::string& text, std::string* resolved = nullptr) {
  ConfigFile file = ConfigFile::parse(text, "grid.toml");
  GridConfig config;
  file.read([&](Section& top) { config.describe(top); });
  if (resolved != nullptr) *resolved = file.resolved();
  return config;
}

const std::string mixed = R"([grid]
cells = [8, 4, 2]
spacing = [0.5, 0.25, 2.0]
origin = [-1.0, 0.0, 3.0]
[grid.y]
upper = "fixed"
upper_value = -2.5
[grid.z]
lower = "fixed_ghost"
upper = "zero_gradient"
)";

}  // namespace

TEST_CASE("grid config: cells and conditions at each face") {
  const GridConfig c = read(mixed);
  CHECK(c.cells == Cell{8, 4, 2});
  CHECK(c.count() == 64);
  CHECK(c.spacing == std::array{0.5, 0.25, 2.0});
  CHECK(c.origin == std::array{-1.0, 0.0, 3.0});
  CHECK(c.boundaries == std::array{Boundary::periodic, Boundary::open, Boundary::open});
  CHECK(c.faces[1][0] == FaceCondition{FaceRule::zero_gradient, 0});
  CHECK(c.faces[1][1] == FaceCondition{FaceRule::face_value, -2.5});
  CHECK(c.faces[2][0] == FaceCondition{FaceRule::ghost_value, 0});
  CHECK(c.faces[2][1] == FaceCondition{FaceRule::zero_gradient, 0});
  const GridConfig plain = read("[grid]\ncells = [3, 3, 3]\n");
  CHECK(plain.boundaries == std::array<Boundary, 3>{});
  CHECK(plain.spacing == std::array{1.0, 1.0, 1.0});
  CHECK(plain.image().length_unit.empty());
  const GridConfig in_metres = read("[grid]\ncells = [3, 3, 3]\nlength_unit = \"m\"\n");
  CHECK(in_metres.image("s").length_unit == "m");
  CHECK(in_metres.image("s").time_unit == "s");
}

TEST_CASE("grid config: the resolved configuration means the same") {
  std::string resolved;
  const GridConfig c = read(mixed, &resolved);
  const GridConfig again = read(resolved);
  CHECK(again.boundaries == c.boundaries);
  CHECK(again.faces == c.faces);
  CHECK(again.spacing == c.spacing);
}

TEST_CASE("grid config: what makes no sense is refused") {
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3]\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 0]\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\nspacing = [1.0, 0.0, 1.0]\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\n[grid.x]\nlower_value = 1.0\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\n[grid.x]\nlower = \"open\"\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\n[grid.w]\n"), InputError);
}
