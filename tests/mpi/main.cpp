// Runs doctest on every rank between MPI_Init and MPI_Finalize; all ranks fail if one does.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <exception>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/mpi_session.hpp"
#include "gsim/io/result_file.hpp"

int main(int argc, char** argv) {
  try {
    gsim::start_hdf5();
    const gsim::MpiSession session(&argc, &argv);
    const gsim::Communicator world = gsim::Communicator::world();
    doctest::Context context(argc, argv);
    if (!world.is_root()) context.setOption("minimal", true);  // one success report is enough
    const int failed = context.run();
    const auto failed_on_any_rank = world.max(failed);
    if (failed != 0) std::fprintf(stderr, "rank %d of %d failed\n", world.rank(), world.size());
    return static_cast<int>(failed_on_any_rank);
  } catch (const gsim::LaunchError& e) {
    if (gsim::launch_environment().rank == 0) std::fprintf(stderr, "%s\n", e.what());
    return static_cast<int>(e.exit_code());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
