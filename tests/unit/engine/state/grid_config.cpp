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

const std::string mixed_boundaries = R"([grid]
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

TEST_CASE("grid config: cells, spacing, origin and conditions at each face are read") {
  const GridConfig c = read(mixed_boundaries);
  CHECK(c.cells == Cell{8, 4, 2});
  CHECK(c.count() == 64);
  CHECK(c.spacing == std::array{0.5, 0.25, 2.0});
  CHECK(c.origin == std::array{-1.0, 0.0, 3.0});
  CHECK(c.boundaries == std::array{Boundary::periodic, Boundary::open, Boundary::open});
  CHECK(c.faces[1][0] == FaceCondition{FaceRule::zero_gradient, 0});
  CHECK(c.faces[1][1] == FaceCondition{FaceRule::face_value, -2.5});
  CHECK(c.faces[2][0] == FaceCondition{FaceRule::ghost_value, 0});
  CHECK(c.faces[2][1] == FaceCondition{FaceRule::zero_gradient, 0});
  const GridConfig defaults = read("[grid]\ncells = [3, 3, 3]\n");
  CHECK(defaults.boundaries == std::array<Boundary, 3>{});
  CHECK(defaults.spacing == std::array{1.0, 1.0, 1.0});
  CHECK(defaults.image().length_unit.empty());
  const GridConfig in_metres = read("[grid]\ncells = [3, 3, 3]\nlength_unit = \"m\"\n");
  CHECK(in_metres.image("s").length_unit == "m");
  CHECK(in_metres.image("s").time_unit == "s");
}

TEST_CASE("grid config: the resolved configuration has the same meaning") {
  std::string resolved;
  const GridConfig c = read(mixed_boundaries, &resolved);
  const GridConfig reread = read(resolved);
  CHECK(reread.boundaries == c.boundaries);
  CHECK(reread.faces == c.faces);
  CHECK(reread.spacing == c.spacing);
}

TEST_CASE("grid config: invalid settings are refused") {
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3]\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 0]\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\nspacing = [1.0, 0.0, 1.0]\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\n[grid.x]\nlower_value = 1.0\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\n[grid.x]\nlower = \"open\"\n"), InputError);
  CHECK_THROWS_AS(read("[grid]\ncells = [3, 3, 3]\n[grid.w]\n"), InputError);
}
