// Writes the trajectories of the run of tests/unit/md/trajectories/trajectory_system.hpp, for
// programs that read them (tests/cli/h5md_mdanalysis.py). usage: gsim_write_trajectories FOLDER

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "unit/md/trajectories/trajectory_system.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

void write_all(const std::string& folder) {
  TrajectoryConfig h5md;
  h5md.steps.every = 10;
  h5md.velocity = h5md.force = h5md.thermo = true;
  TrajectoryConfig xyz = h5md, dump = h5md;
  xyz.format = TrajectoryFormat::xyz;
  dump.format = TrajectoryFormat::dump;
  xyz.thermo = dump.thermo = false;
  Topology topology;
  topology.bonds = {{0, {0, 1}}, {0, {4, 2}}};
  for (const UnitSystem units : {UnitSystem::lj, UnitSystem::metal, UnitSystem::real}) {
    const auto unit_name = unit_system_names()[static_cast<std::size_t>(units)];
    write_trajectories({.ranks = 2, .units = units, .topology = &topology}, {h5md, xyz, dump},
                       folder + "/" + std::string(unit_name));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    write_all(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
