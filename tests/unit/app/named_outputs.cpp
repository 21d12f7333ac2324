#include "src/app/replay/stored_run.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace gsim::app;

TEST_CASE("rename_outputs: names of output files change, and those of inputs stay") {
  const std::string config =
      "[start]\nfile = \"in.xyz\"\n"
      "[[trajectory]]\nevery = 1\nfile = \"runs/a.xyz\"\n"
      "[[trajectory]]\nevery = 2\nfile = \"\"\n"
      "[[trajectory]]\nevery = 3\nfile = \"a \\\"b\\\".xyz\"\n"
      "[[trajectory]]\nevery = 4\nfile = \"other/a.xyz\"\n"
      "[particle_file]\nfile = \"b.mcpl.gz\"\n"
      "[pictures]\nevery = 10\nfile = \"c.vtkhdf\"\n"
      "[[source]]\nfile = \"d.h5\"";
  const std::vector<OutputName> names = output_names(config);
  REQUIRE(names.size() == 5);
  CHECK((names[1].table == "trajectory" && names[1].number == 3 && names[1].name == "a \"b\".xyz"));
  CHECK((names[4].table == "pictures" && names[4].number == 1 && names[4].name == "c.vtkhdf"));
  CHECK(rename_outputs(config, names_beside("x/run")) ==
        "[start]\nfile = \"in.xyz\"\n"
        "[[trajectory]]\nevery = 1\nfile = \"x/run.a.xyz\"\n"
        "[[trajectory]]\nevery = 2\nfile = \"\"\n"
        "[[trajectory]]\nevery = 3\nfile = \"x/run.a \\\"b\\\".xyz\"\n"
        "[[trajectory]]\nevery = 4\nfile = \"x/run.2.a.xyz\"\n"
        "[particle_file]\nfile = \"x/run.b.mcpl.gz\"\n"
        "[pictures]\nevery = 10\nfile = \"x/run.c.vtkhdf\"\n"
        "[[source]]\nfile = \"d.h5\"");
}
