#include "src/comm/mpi/launch_environment.hpp"

#include <map>
#include <string>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::detail;

namespace {

using Variables = std::map<std::string, std::string>;

Lookup lookup(const Variables& variables) {
  return [&variables](const char* name) -> const char* {
    const auto variable = variables.find(name);
    return variable == variables.end() ? nullptr : variable->second.c_str();
  };
}

LaunchEnvironment read(const Variables& variables) {
  return read_launch_environment(lookup(variables));
}

/// The error message for a world of `size` ranks, or empty.
std::string world_error(const Variables& variables, int size) {
  const auto get = lookup(variables);
  try {
    check_world(read_launch_environment(get), size, "MPICH 4.0.2", get);
    return {};
  } catch (const LaunchError& e) {
    CHECK(e.exit_code() == ExitCode::bad_input);
    return e.what();
  }
}

const Variables srun_task{{"SLURM_JOB_ID", "7"},
                          {"SLURM_STEP_ID", "0"},
                          {"SLURM_NTASKS", "4"},
                          {"SLURM_STEP_NUM_TASKS", "4"},
                          {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"},
                          {"SLURM_NODEID", "1"},
                          {"SLURM_PROCID", "3"},
                          {"SLURM_LOCALID", "1"}};

/// `variables` with further ones, which replace variables of the same name.
Variables with(Variables variables, const Variables& further) {
  for (const auto& [name, value] : further) variables[name] = value;
  return variables;
}

}  // namespace

TEST_CASE("without a launcher there is one rank and no expected number of ranks") {
  const auto launch = read({});
  CHECK(launch.launcher.empty());
  CHECK(launch.rank == 0);
  CHECK(launch.local_rank == 0);
  CHECK(launch.local_ranks == 0);
  CHECK(launch.expected_ranks == 0);
  CHECK(world_error({}, 1).empty());
}

TEST_CASE("variables of Slurm, Hydra, Open MPI, PALS and Flux are read") {
  const auto slurm = read(srun_task);
  CHECK(slurm.launcher == "srun");
  CHECK(slurm.rank == 3);
  CHECK(slurm.local_rank == 1);
  CHECK(slurm.local_ranks == 2);
  CHECK(slurm.expected_ranks == 4);

  const auto hydra = read(
      {{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}});
  CHECK(hydra.launcher == "mpiexec (Hydra)");
  CHECK(hydra.rank == 2);
  CHECK(hydra.local_rank == 1);
  CHECK(hydra.local_ranks == 2);
  CHECK(hydra.expected_ranks == 3);

  const auto open_mpi = read({{"OMPI_COMM_WORLD_RANK", "5"},
                              {"OMPI_COMM_WORLD_SIZE", "8"},
                              {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                              {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  CHECK(open_mpi.rank == 5);
  CHECK(open_mpi.local_rank == 1);
  CHECK(open_mpi.expected_ranks == 8);

  const auto pals = read({{"PALS_RANKID", "9"}, {"PALS_LOCAL_RANKID", "1"}, {"PMI_SIZE", "16"}});
  CHECK(pals.launcher == "mpiexec (PALS)");
  CHECK(pals.rank == 9);
  CHECK(pals.local_rank == 1);
  CHECK(pals.expected_ranks == 16);

  const auto flux =
      read({{"FLUX_TASK_RANK", "1"}, {"FLUX_TASK_LOCAL_ID", "1"}, {"FLUX_JOB_SIZE", "2"}});
  CHECK(flux.local_rank == 1);
  CHECK(flux.expected_ranks == 2);

  CHECK(read({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).expected_ranks == 2);
}

TEST_CASE("variables of Hydra take precedence inside a Slurm allocation") {
  const auto launch = read(with(srun_task, {{"SLURM_STEP_NUM_TASKS", "2"},
                                            {"PMI_RANK", "5"},
                                            {"PMI_SIZE", "6"},
                                            {"MPI_LOCALRANKID", "2"},
                                            {"MPI_LOCALNRANKS", "3"}}));
  CHECK(launch.launcher == "mpiexec (Hydra)");
  CHECK(launch.expected_ranks == 6);
  CHECK(launch.local_rank == 2);
}

TEST_CASE("tasks per node are parsed from Slurm's compressed format") {
  const auto on_node = [](const char* text, const char* node) {
    return read(with(srun_task, {{"SLURM_STEP_TASKS_PER_NODE", text}, {"SLURM_NODEID", node}}))
        .local_ranks;
  };
  CHECK(on_node("4", "0") == 4);
  CHECK(on_node("4(x2),3", "1") == 4);
  CHECK(on_node("4(x2),3", "2") == 3);
  CHECK(on_node("4(x2),3", "3") == 0);
  CHECK(on_node("1,2,5(x100)", "50") == 5);
  CHECK(on_node("", "0") == 0);
  CHECK(on_node("x", "0") == 0);
  CHECK(on_node("4(x", "1") == 0);
}

TEST_CASE("several processes with MPI worlds of one rank are an error with a remedy") {
  const std::string slurm = world_error(srun_task, 1);
  CHECK(slurm.find("--mpi=pmi2") != std::string::npos);
  CHECK(slurm.find("--mpi=pmix") != std::string::npos);
  CHECK(slurm.find("4 processes") != std::string::npos);
  CHECK(world_error(srun_task, 4).empty());

  const Variables hydra{
      {"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}, {"PMI_FD", "6"}};
  // The number of the bug report at Launchpad about this package of MPICH.
  CHECK(world_error(hydra, 1).find("2072338") != std::string::npos);
  CHECK(world_error(hydra, 1).find("MPICH 4.0.2") != std::string::npos);
  CHECK(world_error(hydra, 2).empty());
  // Open MPI's mpirun with an MPICH build
  const std::string open_mpi = world_error({{"OMPI_COMM_WORLD_SIZE", "4"}}, 1);
  CHECK(open_mpi.find("use the launcher that belongs to that library, ") != std::string::npos);
  CHECK(open_mpi.find("Ubuntu") == std::string::npos);
}

TEST_CASE("left-over variables of a launcher are reported") {
  const Variables left_over{{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}};
  CHECK_FALSE(read(left_over).is_connected);
  CHECK(world_error(left_over, 1).find("rank 5 of 8") != std::string::npos);
  CHECK(world_error(left_over, 1).find("left over") != std::string::npos);
  CHECK(read(with(left_over, {{"PMI_FD", "6"}})).is_connected);
  CHECK_FALSE(read(with(left_over, {{"MPI_LOCALNRANKS", "8"}})).is_connected);
  CHECK(read({}).is_connected);
  CHECK(read(srun_task).is_connected);
}

TEST_CASE("single ranks inside an allocation are accepted where they are intended") {
  // in a batch script without srun: no step
  Variables batch = srun_task;
  batch.erase("SLURM_STEP_ID");
  CHECK(world_error(batch, 1).empty());
  CHECK(read(batch).launcher.empty());
  // in the shell of an interactive allocation: a reserved step number
  CHECK(world_error(with(srun_task, {{"SLURM_STEP_ID", "4294967290"}}), 1).empty());
  CHECK(world_error(with(srun_task, {{"SLURM_STEP_ID", "4294967291"}}), 1).empty());
  // in the shell of srun --pty
  CHECK(world_error(with(srun_task, {{"SLURM_PTY_PORT", "40000"}}), 1).empty());
  // a step with one task in a job with many
  CHECK(world_error(with(srun_task, {{"SLURM_STEP_NUM_TASKS", "1"}}), 1).empty());
  CHECK(world_error({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}, {"MPI_LOCALNRANKS", "1"}}, 1).empty());
  // separate runs, on request
  CHECK(world_error(with(srun_task, {{"GSIM_SINGLE_RANK", "1"}}), 1).empty());
  CHECK(!world_error(with(srun_task, {{"GSIM_SINGLE_RANK", "0"}}), 1).empty());
}

TEST_CASE("invalid values in the environment are ignored") {
  CHECK(world_error({{"SLURM_STEP_ID", "zero"}, {"SLURM_NTASKS", "4"}}, 1).empty());
  CHECK(world_error({{"PMI_SIZE", "-4"}}, 1).empty());
  CHECK(world_error({{"PMI_SIZE", "99999999999999999999"}}, 1).empty());
}

TEST_CASE("short names of MPI libraries contain the version") {
  CHECK(short_library_name("MPICH Version:\t4.0.2\nMPICH Release date:\tThu") == "MPICH 4.0.2");
  CHECK(short_library_name("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4") ==
        "Open MPI 4.1.4");
  CHECK(short_library_name("Intel(R) MPI Library 2021.9 for Linux* OS\n") == "Intel MPI 2021.9");
  CHECK(short_library_name("MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)") ==
        "Cray MPICH 8.1.25.17");
  CHECK(short_library_name("SomeMPI one \n") == "SomeMPI one");
  CHECK(!short_library_name("").empty());
}
