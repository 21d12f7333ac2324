// Tests of keys whose values are lists of a fixed length.

#include <array>
#include <ctime>
#include <string>

#include <doctest/doctest.h>

#include "gsim/config/section.hpp"

using namespace gsim;

namespace {

struct Values {
  std::array<double, 3> edges{1, 2, 3};
  std::array<Index, 2> cells{};
  std::array<int, 2> small{4, 5};
  std::array<std::string, 2> names{"a", "b"};

  void describe(Section& top) {
    top.required("cells", cells, {.doc = "number of cells along x and y", .minimum = 1});
    top.optional("edges", edges,
                 {.doc = "of a cell", .unit = "m", .minimum = 0, .exclusive_minimum = true});
    top.optional("small", small, {.doc = "whole numbers"});
    top.optional("names", names, {.doc = "names of both axes"});
  }
};

Values read(const std::string& text, std::string* resolved = nullptr) {
  ConfigFile file = ConfigFile::parse(text, "arrays.toml");
  Values values;
  file.read([&](Section& top) { values.describe(top); });
  if (resolved != nullptr) *resolved = file.resolved();
  return values;
}

std::string message(const std::string& text) {
  try {
    (void)read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("arrays: lists of a fixed length, with defaults") {
  std::string resolved;
  const Values v = read("cells = [3, 4]\nsmall = [-7, 8]\n", &resolved);
  CHECK(v.cells == std::array<Index, 2>{3, 4});
  CHECK(v.edges == std::array<double, 3>{1, 2, 3});
  CHECK(v.small == std::array<int, 2>{-7, 8});
  CHECK(v.names == std::array<std::string, 2>{"a", "b"});
  CHECK(read(resolved).small == v.small);
  CHECK(read("cells = [1, 1]\nedges = [0.5, 1, 2e3]\nnames = ['x', 'y']\n").edges ==
        std::array<double, 3>{0.5, 1, 2000});
}

TEST_CASE("arrays: lists of another length and elements out of range are errors at the key") {
  CHECK(message("cells = [3]\n").find("`cells` must have 2 elements, not 1") != std::string::npos);
  CHECK(message("cells = [3]\n").find("arrays.toml:1") != std::string::npos);
  CHECK(message("cells = [3, 4]\nedges = [1, 2, 3, 4]\n")
            .find("`edges` must have 3 elements, not 4") != std::string::npos);
  CHECK(message("cells = [3, 0]\n").find("each element of `cells` must be at least 1, not 0") !=
        std::string::npos);
  CHECK(message("cells = [3, 4]\nedges = [1, 2, 0]\n")
            .find("each element of `edges` must be greater than 0 (m), not 0") !=
        std::string::npos);
  CHECK(message("cells = 3\n").find("must be a list of integers") != std::string::npos);
  // A value that does not fit an int is refused, not truncated.
  CHECK(message("cells = [3, 4]\nsmall = [1, 3000000000]\n").find("each element of `small`") !=
        std::string::npos);
  CHECK(message("").find("missing key `cells`") != std::string::npos);
}

TEST_CASE("arrays: the schema contains their lengths") {
  const auto describe = [](Section& top) { Values().describe(top); };
  const std::string text = schema_text(describe), json = schema_json(describe, "arrays");
  CHECK(text.find("numbers [m] · > 0 · default [1.0, 2.0, 3.0]") != std::string::npos);
  CHECK(text.find("of a cell (3 elements)") != std::string::npos);
  CHECK(json.find("\"minItems\": 2") != std::string::npos);
  CHECK(json.find("\"maxItems\": 3") != std::string::npos);
}

TEST_CASE("arrays: a line of many elements is read in linear time") {
  std::string text = "cells = [3, 4]\nedges = [1.000";
  for (int i = 1; i < 40000; ++i) text += ", 1.000";
  text += "]\n";
  const std::clock_t begin = std::clock();
  const std::string error = message(text + "small = [1]\n");
  // Work that is proportional to elements times characters takes more than half a minute.
  CHECK(std::clock() - begin < 10 * CLOCKS_PER_SEC);
  CHECK(error.find("arrays.toml:2:9: `edges` must have 3 elements, not 40000") !=
        std::string::npos);
}
