#include "src/app/replay/stored_run.hpp"

#include <doctest/doctest.h>

using namespace gsim::app;

TEST_CASE("without_names_of_outputs: names of output files go, and those of inputs stay") {
  CHECK(without_names_of_outputs("[start]\nfile = \"in.xyz\"\n"
                                 "[[trajectory]]\nevery = 1\nfile = \"a.xyz\"\n"
                                 "[particle_file]\nfile = \"b.h5\"\n"
                                 "[pictures]\nevery = 10\nfile = \"c.vtkhdf\"\n"
                                 "[[source]]\nfile = \"d.h5\"\n") ==
        "[start]\nfile = \"in.xyz\"\n"
        "[[trajectory]]\nevery = 1\n"
        "[particle_file]\n"
        "[pictures]\nevery = 10\n"
        "[[source]]\nfile = \"d.h5\"\n");
}
