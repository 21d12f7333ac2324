// The memory bandwidth of the example plugin `lbm` (examples/plugins/lbm) compared with that of the
// triad a = b + scalar c. 304 bytes are counted per cell and step: 19 populations are read once and
// written once by streaming stores. (Without streaming stores the triad also reads each line that
// it writes, which is not counted.)
//   benchmark_lbm [cells along an edge] [threads] [ranks] [rounds]

#include "lbm_module.hpp"
#include "validation/performance/grid_bandwidth.hpp"

using namespace gsim;

namespace {

std::string config(Index edge) {
  const std::string n = std::to_string(edge);
  return "[lattice]\ncells = [" + n + ", " + n + ", " + n +
         "]\n[lattice.z]\nupper_velocity = [0.1, 0.0, 0.0]\n"
         "[fluid]\nviscosity = 0.05\nforce = [1e-6, 0.0, 0.0]\nsteps = 1000000\n"
         "observe_every = 1000000\n[start]\nkind = \"rest\"\n";
}

}  // namespace

int main(int argc, char** argv) {
  measure_grid<lbm::LbmModule>({"lbm", config, 16.0 * lbm::populations}, 160, argc, argv);
}
