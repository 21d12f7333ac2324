#include "src/comm/mpi/launch_environment.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace gsim::detail {
namespace {

/// The value of a variable as an integer >= 0; -1 if it is anything else or unset.
std::int64_t number(const Lookup& lookup, const char* name) {
  const char* const text = name == nullptr ? nullptr : lookup(name);
  if (text == nullptr) return -1;
  std::int64_t value = -1;
  const char* const last = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, last, value);
  return error == std::errc() && end == last && value >= 0 ? value : -1;
}

/// `value` as an int; 0 if it is negative or too large.
int or_zero(std::int64_t value) {
  return value > 0 && value <= INT32_MAX ? static_cast<int>(value) : 0;
}

/// The environment variables that one launcher sets; null if it has no such variable.
struct LauncherVariables {
  const char* launcher;
  const char* mark;  // set if and only if this launcher started the process
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;
};

// The innermost launcher comes first: Hydra inside a Slurm allocation starts its proxies with srun,
// so its processes also see Slurm's variables of a step with one task per node.
constexpr LauncherVariables launchers[] = {
    {"mpiexec (Hydra)", "MPI_LOCALNRANKS", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID",
     "MPI_LOCALNRANKS"},
    {"mpirun (Open MPI)", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"mpiexec (MVAPICH)", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE",
     "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"mpiexec (PALS)", "PALS_RANKID", "PALS_RANKID", "PMI_SIZE", "PALS_LOCAL_RANKID",
     "PMI_LOCAL_SIZE"},
    {"jsrun", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE",
     "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE"},
    {"flux run", "FLUX_TASK_RANK", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID",
     nullptr},
};

/// True in a job step that srun started. A batch script has no step number; the shell of an
/// interactive allocation has a reserved number from 0xfffffff0 up, and the shell of `srun --pty`
/// has the port of a terminal: programs started there have no launcher.
bool in_slurm_step(const Lookup& lookup) {
  const std::int64_t step = number(lookup, "SLURM_STEP_ID");
  return step >= 0 && step < 0xfffffff0 && lookup("SLURM_PTY_PORT") == nullptr;
}

/// Number of tasks on this node from Slurm's format "4(x2),3": node k of the step has the k-th
/// count.
int slurm_local_tasks(const Lookup& lookup) {
  const char* text = lookup("SLURM_STEP_TASKS_PER_NODE");
  std::int64_t node = number(lookup, "SLURM_NODEID");
  if (text == nullptr || node < 0) return 0;
  const char* const last = text + std::strlen(text);
  while (text < last) {
    std::int64_t tasks = 0, repeats = 1;
    auto parsed = std::from_chars(text, last, tasks);
    if (parsed.ec != std::errc()) return 0;
    text = parsed.ptr;
    if (last - text > 2 && text[0] == '(' && text[1] == 'x') {
      parsed = std::from_chars(text + 2, last, repeats);
      if (parsed.ec != std::errc()) return 0;
      text = parsed.ptr + 1;
    }
    if (node < repeats) return or_zero(tasks);
    node -= repeats;
    ++text;  // skip the comma
  }
  return 0;
}

/// Whether the variables refer to a PMI server: by a file descriptor, a port, or through PMIx.
bool refers_to_server(const Lookup& lookup) {
  constexpr const char* variables[] = {"PMI_FD",         "PMI_PORT",         "PMIX_RANK",
                                       "PMIX_NAMESPACE", "PMI_CONTROL_PORT", "PALS_RANKID"};
  return std::any_of(std::begin(variables), std::end(variables),
                     [&](const char* variable) { return lookup(variable) != nullptr; });
}

LaunchEnvironment read_slurm(const Lookup& lookup) {
  LaunchEnvironment launch;
  launch.launcher = "srun";
  launch.rank = or_zero(number(lookup, "SLURM_PROCID"));
  launch.local_rank = or_zero(number(lookup, "SLURM_LOCALID"));
  launch.local_ranks = slurm_local_tasks(lookup);
  const std::int64_t tasks = number(lookup, "SLURM_STEP_NUM_TASKS");
  launch.expected_ranks = or_zero(tasks > 0 ? tasks : number(lookup, "SLURM_NTASKS"));
  return launch;
}

bool allows_single_rank(const Lookup& lookup) { return number(lookup, "GSIM_SINGLE_RANK") == 1; }

}  // namespace

LaunchEnvironment read_launch_environment(const Lookup& lookup) {
  for (const LauncherVariables& c : launchers) {
    if (lookup(c.mark) == nullptr) continue;
    LaunchEnvironment launch;
    launch.launcher = c.launcher;
    launch.rank = or_zero(number(lookup, c.rank));
    launch.local_rank = or_zero(number(lookup, c.local_rank));
    launch.local_ranks = or_zero(number(lookup, c.local_size));
    launch.expected_ranks = or_zero(number(lookup, c.size));
    if (std::strcmp(c.launcher, "mpiexec (Hydra)") == 0)
      launch.is_connected = refers_to_server(lookup);
    return launch;
  }
  if (in_slurm_step(lookup)) return read_slurm(lookup);
  if (number(lookup, "PMI_SIZE") > 0) {
    LaunchEnvironment launch;
    launch.launcher = "a PMI launcher";
    launch.rank = or_zero(number(lookup, "PMI_RANK"));
    launch.expected_ranks = or_zero(number(lookup, "PMI_SIZE"));
    launch.is_connected = refers_to_server(lookup);
    return launch;
  }
  return {};
}

void check_world(const LaunchEnvironment& launch, int world_size, const std::string& mpi_library,
                 const Lookup& lookup) {
  if (world_size != 1 || launch.expected_ranks <= 1 || allows_single_rank(lookup)) return;
  if (!launch.is_connected)
    throw LaunchError(
        "the environment says that this is rank " + std::to_string(launch.rank) + " of " +
        std::to_string(launch.expected_ranks) +
        " (PMI_RANK, PMI_SIZE), but no variable refers to a launcher (PMI_FD, PMI_PORT): they are "
        "left over from another program. Start gsim with " +
        mpi_launcher() + ", or unset PMI_RANK, PMI_SIZE and MPI_LOCALNRANKS for a single rank");
  std::string message = launch.launcher + " started " + std::to_string(launch.expected_ranks) +
                        " processes, but each became an MPI world of its own (gsim's MPI is " +
                        mpi_library + "); ";
  if (launch.launcher == "srun")
    message +=
        "start it with `srun --mpi=pmi2` or `srun --mpi=pmix` (`srun --mpi=list` shows which "
        "of them this cluster has)";
  else
    message += "use the launcher that belongs to that library, " + mpi_launcher();
  // Launcher and library are both MPICH and yet do not connect.
  if (launch.launcher == "mpiexec (Hydra)" && mpi_library.starts_with("MPICH"))
    message +=
        ". Ubuntu 24.04's package mpich 4.2.0-5build3 has this fault itself (Launchpad bug "
        "2072338): install 4.2.0-5.1 or later, or use another MPI";
  throw LaunchError(message + ". Set GSIM_SINGLE_RANK=1 if separate runs are intended");
}

std::string short_library_name(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  for (char& c : line)
    if (c == '\t' || c == '\r' || c == '\0') c = ' ';
  const auto version_after = [&](const std::string& mark) -> std::string {
    const auto at = line.find(mark);
    if (at == std::string::npos) return {};
    const auto first = line.find_first_of("0123456789", at + mark.size());
    if (first == std::string::npos) return {};
    const auto end = line.find_first_of(" ,", first);
    return line.substr(first, end == std::string::npos ? end : end - first);
  };
  for (const auto& [mark, name] : {std::pair{"CRAY MPICH version", "Cray MPICH"},
                                   {"MVAPICH", "MVAPICH"},
                                   {"MPICH Version:", "MPICH"},
                                   {"Open MPI v", "Open MPI"},
                                   {"Intel(R) MPI Library", "Intel MPI"}})
    if (const std::string version = version_after(mark); !version.empty())
      return std::string(name) + " " + version;
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line.empty() ? "an unknown MPI library" : line;
}

}  // namespace gsim::detail
