// The memory bandwidth of the example plugin `heat` (examples/plugins/heat) compared with that of
// the triad a = b + scalar c. 16 bytes are counted per cell and step: each cell is read once and
// written once by streaming stores. (Without streaming stores the triad also reads each line that
// it writes, which is not counted.)
//   benchmark_heat [cells along an edge] [threads] [ranks] [rounds]

#include "heat_module.hpp"
#include "validation/performance/grid_bandwidth.hpp"

using namespace gsim;

namespace {

std::string config(Index edge) {
  const std::string n = std::to_string(edge);
  return "[grid]\ncells = [" + n + ", " + n + ", " + n +
         "]\n[grid.z]\nlower = \"fixed\"\nupper = \"zero_gradient\"\n"
         "[heat]\ndiffusivity = 1.0\ntime_step = 0.1\nsteps = 1000000\nobserve_every = 1000000\n"
         "[start]\nkind = \"mode\"\nwaves = [1, 1, 1]\n";
}

}  // namespace

int main(int argc, char** argv) {
  measure_grid<heat::HeatModule>({"heat", config, 16}, 256, argc, argv);
}
