#include "task_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "gsim/comm/mpi_session.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/io/absent_checkpoints.hpp"
#include "gsim/io/result_file.hpp"
#include "references.hpp"
#include "src/app/app.hpp"

namespace gsim::app {
namespace {

std::vector<std::string> run_arguments(const BatchTask& task, const TaskLaunch& launch) {
  std::vector<std::string> words{"gsim", "run", task.config};
  for (const std::string& assignment : launch.set) {
    words.push_back("--set");
    words.push_back(assignment);
  }
  words.insert(words.end(), {"--output", task_path(launch.folder, task) + ".h5", "--threads",
                             fmt::format("{}", launch.threads), "--log", "plain"});
  if (!launch.leaves_checkpoint) words.insert(words.end(), {"--set", "checkpoint.at_end=false"});
  if (launch.resume) words.push_back("--resume=auto");
  return words;
}

/// The fewest nodes of a Slurm allocation that have the processors of a task, and a GPU for each
/// rank if they have GPUs; one elsewhere.
Index nodes_for(const BatchTask& task, const TaskLaunch& launch) {
  const auto nodes = [](Index needed, const char* variable) {
    const char* text = std::getenv(variable);
    const Index on_node = text == nullptr ? 0 : std::atol(text);
    return on_node > 0 ? (needed + on_node - 1) / on_node : Index{1};
  };
  return std::max(nodes(task.ranks * launch.threads, "SLURM_CPUS_ON_NODE"),
                  launch.sees_no_gpu ? Index{1} : nodes(task.ranks, "SLURM_GPUS_ON_NODE"));
}

/// The words of a launcher, with its references to ranks, threads and nodes replaced.
std::vector<std::string> launcher_words(const std::string& launcher, const BatchTask& task,
                                        const TaskLaunch& launch) {
  std::istringstream words(replace_references(launcher, [&](const Reference& r) {
    if (r.task == "ranks") return fmt::format("{}", task.ranks);
    if (r.task == "hosts") return launch.hosts;
    const Index nodes = nodes_for(task, launch);
    if (r.task == "nodes") return fmt::format("{}", nodes);
    if (r.task == "ranks_per_node") return fmt::format("{}", (task.ranks + nodes - 1) / nodes);
    return r.task == "threads" ? fmt::format("{}", launch.threads) : std::string();
  }));
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  return list;
}

/// A list of C strings that ends with a null pointer.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Ranks on the one node of a Slurm allocation are started without srun, which would give all
/// processors of the job to the first task.
void start_ranks_without_srun() {
  const char* nodes = std::getenv("SLURM_JOB_NUM_NODES");
  if (nodes != nullptr && std::atol(nodes) == 1) ::setenv("HYDRA_LAUNCHER", "fork", 0);
}

/// In the new process: standard streams, signals and visible GPUs.
void prepare_process(const std::string& log, const TaskLaunch& launch,
                     const std::vector<std::string>& gpus) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = ::open("/dev/null", O_RDONLY);
  const int output =
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | (launch.resume ? 0 : O_TRUNC), 0666);
  if (input < 0 || output < 0) ::_exit(static_cast<int>(ExitCode::failure));
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (launch.sees_no_gpu) {
    ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  } else if (!launch.gpus.empty()) {
    std::string list;
    for (const Index gpu : launch.gpus)
      list += (list.empty() ? "" : ",") + gpus[static_cast<std::size_t>(gpu)];
    ::setenv("CUDA_VISIBLE_DEVICES", list.c_str(), 1);
  }
}

}  // namespace

std::string task_path(const std::string& folder, const BatchTask& task) {
  return folder + "/" + task.name;
}

std::map<std::string, std::vector<std::string>> checkpoints_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::map<std::string, std::vector<std::string>> found;
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    const std::string path = at->path().string(), name = at->path().filename().string();
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos || dot + 1 == name.size() || !name.substr(0, dot).ends_with(".ckpt") ||
        name.find_first_not_of("0123456789", dot + 1) != name.npos)
      continue;
    found[name.substr(0, dot - std::string_view(".ckpt").size())].push_back(path);
  }
  return found;
}

void prepare_processes(const std::string& folder) {
  // Parts of a batch may start in one folder at the same time.
  const std::string path = fmt::format("{}/.batch-{}-{}.h5", folder, host_name(), ::getpid());
  ResultFile file(Communicator::self(), path);
  file.write("table/number", std::vector<double>{0});
  file.write_strings("table/text", std::vector<std::string>{"text"});
  file.attribute("table", "name", "text");
  file.commit();
  std::filesystem::remove(path);
}

pid_t start_task(const BatchTask& task, const TaskLaunch& launch, const Registry& registry) {
  std::vector<std::string> words = run_arguments(task, launch);
  std::string launcher = launch.launcher;
  const bool is_default = launcher.empty() && task.ranks > 1 && launch.hosts.empty();
  if (is_default) launcher = mpi_launcher() + " -n {ranks}";
  if (launcher.empty() && !launch.hosts.empty())
    launcher = mpi_launcher() + " -hosts {hosts} -n {ranks}";
  if (!launcher.empty()) {
    words.front() = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::vector<std::string> before = launcher_words(launcher, task, launch);
    words.insert(words.begin(), before.begin(), before.end());
  }
  const std::vector<std::string> gpus = visible_gpus();
  const std::string log = task_path(launch.folder, task) + ".log";
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw IoError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (pid > 0) return pid;
  prepare_process(log, launch, gpus);
  std::vector<char*> arguments = pointers_to(words);
  if (is_default) start_ranks_without_srun();
  if (!launcher.empty()) {
    ::execvp(arguments.front(), arguments.data());
    std::fprintf(stderr, "error: cannot start %s: %s\n", arguments.front(), std::strerror(errno));
    ::_exit(static_cast<int>(ExitCode::failure));
  }
  if (!launch.has_checkpoints) assume_no_checkpoints(task_path(launch.folder, task));
  const int code = run_command_line(static_cast<int>(arguments.size()) - 1, arguments.data(),
                                    registry, MpiUse::never);
  std::fflush(nullptr);
  ::_exit(code);
}

std::string failure_in(const std::string& log) {
  std::ifstream file(log);
  std::string error, last;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("error: ")) error = line.substr(7);
    if (!line.empty()) last = line;
  }
  return error.empty() ? last : error;
}

bool has_started(const std::string& log, std::uintmax_t begin) {
  std::ifstream file(log);
  file.seekg(static_cast<std::streamoff>(begin));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("gsim ") || line.starts_with("error: ") || line.starts_with("warning: "))
      return true;
  return false;
}

std::vector<std::string> visible_gpus() {
  std::vector<std::string> gpus;
  if (const char* list = std::getenv("CUDA_VISIBLE_DEVICES")) {
    std::istringstream names(list);
    // CUDA ignores what follows a name that is none.
    for (std::string name; std::getline(names, name, ',') && !name.empty() && name[0] != '-';)
      gpus.push_back(name);
    return gpus;
  }
  std::error_code none;
  for (std::filesystem::directory_iterator at("/proc/driver/nvidia/gpus", none), end;
       !none && at != end; at.increment(none))
    gpus.push_back(fmt::format("{}", gpus.size()));
  return gpus;
}

}  // namespace gsim::app
