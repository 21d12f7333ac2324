#include "src/app/input/named_outputs.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::app;

TEST_CASE("named outputs: found by the declarations of their keys, kept as a text, renamed") {
  std::string file;
  std::vector<std::string> files;
  const auto describe = [&](Section& top) {
    top.tables(
        "trajectory", [&](Index n) { files.resize(static_cast<std::size_t>(n)); },
        [&](Section& s, Index i) {
          optional_output(s, "file", files[static_cast<std::size_t>(i)], "file");
        },
        "trajectories");
    top.optional_table(
        "start", [&](Section& s) { s.optional("file", file, {}); }, "an input");
    top.named_tables(
        "scans",
        [&](Section& s, const std::string&) { optional_output(s, "picture", file, "file"); },
        "scans");
    top.alternatives("kind",
                     {{"none", "", [](Section&) {}},
                      {"list", "", [&](Section& s) { optional_output(s, "list", file, "file"); }}},
                     0, {});
  };
  const std::vector<std::string> keys = output_keys(describe);
  CHECK(keys == std::vector<std::string>{"trajectory[].file", "scans.*.picture", "list"});
  ConfigFile config = ConfigFile::parse(
      "list = \"runs/a.xyz\"\nother = 1\n[start]\nfile = \"in.xyz\"\n"
      "[[trajectory]]\nevery = 1\nfile = \"runs/a.xyz\"\n"
      "[[trajectory]]\nfile = \"\"\n"
      "[[trajectory]]\nfile = \"a \\\"b\\\".xyz\"\n"
      "[scans.\"x y\"]\npicture = \"a.png\"\n",
      "test");
  const std::vector<OutputName> outputs = outputs_in(outputs_text(output_names(config, keys)));
  std::string shown;
  for (const OutputName& output : outputs) shown += output.key + " = " + output.name + "\n";
  CHECK(shown ==
        "trajectory.0.file = runs/a.xyz\ntrajectory.2.file = a \"b\".xyz\n"
        "scans.\"x y\".picture = a.png\nlist = runs/a.xyz\n");
  const std::vector<std::string> set = outputs_beside("x/run", outputs);
  for (const std::string& assignment : set) config.set(assignment);
  shown.clear();
  for (const OutputName& output : output_names(config, keys)) shown += output.name + "\n";
  CHECK(shown == "x/run.a.xyz\nx/run.a \"b\".xyz\nx/run.a.png\nx/run.2.a.xyz\n");
  CHECK(outputs_in(outputs_text({})).empty());
  // A name that looks like a numbered one.
  const std::vector<OutputName> alike = {{"a", "2.x"}, {"b", "x"}, {"c", "p/x"}, {"d", "x"}};
  CHECK(outputs_beside("run", alike) ==
        std::vector<std::string>{"a=\"run.2.x\"", "b=\"run.x\"", "c=\"run.3.x\"", "d=\"run.4.x\""});
}
