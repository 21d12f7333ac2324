// Tests the reference of all configuration keys that is generated as Markdown.

#include "gsim/config/schema_markdown.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace gsim;

namespace {

void describe(Section& top) {
  double step = 0, width = 1, depth = 1;
  std::string device = "auto";
  Index count = 1;
  top.required("step", step,
               {.doc = "length of a time step",
                .unit = "s",
                .minimum = 0,
                .exclusive_minimum = true,
                .is_run_length = true});
  top.optional("device", device, {.doc = "device of a|b"});
  top.optional_table(
      "box",
      [&](Section& box) {
        box.optional("width", width, {.doc = "along x", .minimum = 0, .maximum = 2});
        box.optional("count", count, {.doc = "number of cells"});
      },
      "the box");
  const auto sharp = [&](Section& s) { s.optional("depth", depth, {.doc = "along z"}); };
  top.alternatives("edge", {{"sharp", "step profile", sharp}, {"soft", "", [](Section&) {}}}, 0,
                   {.doc = "profile at the edge"});
}

}  // namespace

TEST_CASE("the Markdown schema has a heading for each table and a row for each key") {
  const std::string text = schema_markdown(describe, "gsim example");
  CHECK(text.starts_with("# gsim example\n"));
  CHECK(text.find("| `step` | number [s] | > 0 | required | length of a time step; can be changed "
                  "on `--resume` |\n") != std::string::npos);
  CHECK(text.find("\n## `[box]`\n\nthe box (optional)\n") != std::string::npos);
  CHECK(text.find("| `width` | number | [0, 2] | `1.0` | along x |\n") != std::string::npos);
  CHECK(text.find("\n### `edge = \"sharp\"`\n\nstep profile\n\n| key | type |") !=
        std::string::npos);
  CHECK(text.find("| `depth` | number |  | `1.0` | along z |\n") != std::string::npos);
  // A bar in a text does not end a cell.
  CHECK(text.find("device of a\\|b") != std::string::npos);
}
