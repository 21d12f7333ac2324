#pragma once
// A lattice of fuel pins with many kinds of events and tallies. Tests with it check that runs on
// different numbers of ranks, threads and domains have identical results.

#include <string>

namespace gsim::test {

/// Configuration of two groups and a lattice of pins with periodic boundaries along x and white
/// ones along y, below a void and a layer of water. `run_keys` are keys of [transport], `tables`
/// further tables.
inline std::string pin_lattice(const std::string& run_keys, const std::string& tables) {
  return "[transport]\n" + run_keys +
         "\n[[material]]\nname = \"fuel\"\nfission = [0.01, 0.2]\ncapture = [0.02, 0.1]\n"
         "nu = [2.5, 2.4]\nchi = [1.0, 0.0]\nscatter = [[0.25, 0.02], [0.0, 0.4]]\n"
         "speed = [1e7, 2e5]\n"
         "[[material]]\nname = \"water\"\ncapture = [0.001, 0.02]\n"
         "scatter = [[0.3, 0.1], [0.0, 1.5]]\nspeed = [1e7, 2e5]\n"
         "[[surface]]\nname = \"pin\"\nkind = \"z_cylinder\"\nradius = 0.5\n"
         "[[surface]]\nname = \"top\"\nkind = \"z_plane\"\nz = 2.0\n"
         "[[surface]]\nname = \"lid\"\nkind = \"z_plane\"\nz = 2.5\n"
         "[[box]]\nname = \"b\"\nlower = [-1.2, -1.2, -3.0]\nupper = [1.2, 1.2, 3.0]\n"
         "boundaries = [\"periodic\", \"periodic\", \"white\", \"white\", \"reflective\", "
         "\"vacuum\"]\n"
         "[[cell]]\nname = \"all\"\nregion = \"-b -top\"\nfill = \"grid\"\n"
         "[[cell]]\nname = \"gap\"\nregion = \"-b +top -lid\"\nfill = \"void\"\nimportance = 2.0\n"
         "[[cell]]\nname = \"cover\"\nregion = \"-b +lid\"\nfill = \"water\"\nimportance = 4.0\n"
         "[[cell]]\nname = \"rod\"\nuniverse = \"p\"\nregion = \"-pin\"\nfill = \"fuel\"\n"
         "[[cell]]\nname = \"around\"\nuniverse = \"p\"\nregion = \"+pin\"\nfill = \"water\"\n"
         "[[lattice]]\nname = \"grid\"\nkind = \"rectangular\"\npitch = [1.2, 1.2]\n"
         "center = [0.0, 0.0]\nuniverses = [\"p p\", \"p p\"]\n" +
         tables;
}

inline const std::string mesh_tables =
    "[[mesh]]\nname = \"m\"\nlower_left = [-1.1, -1.2, -2.0]\nupper_right = [1.2, 1.5, 2.9]\n"
    "shape = [7, 5, 9]\n"
    "[[mesh]]\nname = \"round\"\nkind = \"cylindrical\"\nr = [0.0, 0.5, 2.0]\n"
    "phi = [0, 90, 180]\nz = [-3.0, -2.0, 0.5, 1.0, 3.0]\n";
inline const std::string other_tallies =
    "[[tally]]\nname = \"cells\"\nscores = [\"nu-fission\", \"absorption\"]\n"
    "cells = [\"rod\", \"around\", \"all\"]\nestimator = \"collision\"\n"
    "[[tally]]\nname = \"events\"\nscores = [\"scatter\", \"absorption\"]\nmesh = \"m\"\n"
    "materials = [\"fuel\", \"water\"]\nestimator = \"analog\"\n";
/// Tallies of crossings of periodic boundaries, whose two sides may belong to different ranks.
inline const std::string periodic_tallies =
    "[[tally]]\nname = \"periodic\"\nscores = [\"current\", \"flux\"]\nmesh = \"m\"\n"
    "surfaces = [\"b.x_min\", \"b.x_max\", \"b.y_min\"]\n";
inline const std::string current_tallies =
    "[[tally]]\nname = \"out\"\nscores = [\"current\"]\nsurfaces = [\"lid\"]\nmesh = \"m\"\n";
inline const std::string tallies =
    mesh_tables + other_tallies + current_tallies + periodic_tallies +
    "[[tally]]\nname = \"map\"\nscores = [\"flux\", \"k\"]\nmesh = \"m\"\nenergy = \"groups\"\n"
    "[[tally]]\nname = \"cylindrical\"\nscores = [\"flux\"]\nmesh = \"round\"\n"
    "cells = [\"rod\", \"around\"]\n";

inline const std::string source =
    "[[source]]\nspace = {kind = \"box\", lower = [-1.0, -1.0, -3.0], upper = [1.0, 1.0, 2.2]}\n"
    "energy = {kind = \"group\", group = 1}\n";

}  // namespace gsim::test
