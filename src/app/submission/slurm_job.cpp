#include "slurm_job.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "external_program.hpp"
#include "gsim/core/build_info.hpp"
#include "gsim/core/text.hpp"

namespace gsim::app {
namespace {

/// The head of a script, with the options that all jobs share. A name or path with blanks is in
/// quotation marks, which sbatch removes as a shell does.
std::string head(const Batch& batch, const JobCommand& command, const std::string& log) {
  std::string text = "#!/bin/bash\n" + written_by(batch);
  const auto add = [&](const std::string& option) { text += "#SBATCH " + option + "\n"; };
  add("--job-name=" + shell_quoted(job_name(batch)));
  if (!batch.submit.partition.empty()) add("--partition=" + shell_quoted(batch.submit.partition));
  if (!batch.submit.account.empty()) add("--account=" + shell_quoted(batch.submit.account));
  add("--chdir=" + shell_quoted(command.working_directory));
  std::string folder;  // in which sbatch replaces %j
  for (const char c : command.folder) folder += c == '%' ? std::string("%%") : std::string(1, c);
  add("--output=" + shell_quoted(folder + "/" + log));
  add("--open-mode=append");
  return text;
}

/// Slurm's form of a time limit, in whole minutes: days-hours:minutes:seconds.
std::string time_limit(double seconds) {
  const auto minutes = static_cast<Index>(std::ceil(seconds / 60));
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

/// The seconds of a time limit that sinfo prints: days-hours:minutes:seconds, of which the first
/// may be missing; 0 for "infinite".
double seconds_of(const std::string& limit) {
  const std::size_t dash = limit.find('-');
  const double days = dash == limit.npos ? 0 : std::atof(limit.c_str());
  double rest = 0;
  std::istringstream fields(limit.substr(dash == limit.npos ? 0 : dash + 1));
  for (std::string field; std::getline(fields, field, ':');)
    rest = 60 * rest + static_cast<double>(std::atol(field.c_str()));
  return 86400 * days + rest;
}

std::string resources(const Batch& batch, const Allocation& a) {
  std::string text;
  const auto add = [&](const std::string& option) { text += "#SBATCH " + option + "\n"; };
  const double megabytes = a.memory / (1 << 20);
  add(fmt::format("--nodes={}", a.nodes));
  if (a.nodes == 1) {  // tasks are processes of the script
    add(fmt::format("--ntasks-per-node=1\n#SBATCH --cpus-per-task={}", a.cores));
    if (a.memory > 0) add(fmt::format("--mem={:.0f}M", std::ceil(megabytes)));
  } else {  // tasks are steps, which get the memory of their processors
    add(fmt::format("--ntasks-per-node={}\n#SBATCH --cpus-per-task=1", a.cores));
    if (a.memory > 0)
      add(fmt::format("--mem-per-cpu={:.0f}M",
                      std::ceil(megabytes / static_cast<double>(a.cores))));
  }
  if (a.gpus > 0) add(fmt::format("--gpus-per-node={}", a.gpus));
  if (a.time > 0) add("--time=" + time_limit(a.time));
  add(fmt::format("--signal=B:USR1@{:.0f}", std::ceil(batch.submit.grace)));
  add(batch.submit.requeue ? "--requeue" : "--no-requeue");
  if (a.elements > 0) add(fmt::format("--array=1-{}", a.elements));
  for (const std::string& option : batch.submit.options) add(option);
  return text;
}

/// The words of `gsim batch run` in a script.
std::string run_words(const Batch& batch, const Allocation& a, const JobCommand& c) {
  std::string words =
      fmt::format("{} batch run {} --folder {} --resume=auto --log plain", shell_quoted(c.program),
                  shell_quoted(c.manifest), shell_quoted(c.folder));
  words += fmt::format(" --cores {} --gpus {}", a.cores * a.nodes, a.gpus * a.nodes);
  const std::string launcher = slurm_launcher(batch, a);
  if (!launcher.empty()) words += " --launcher " + shell_quoted(launcher);
  if (a.elements > 0) words += fmt::format(" --part \"$SLURM_ARRAY_TASK_ID/{}\"", a.elements);
  return words;
}

}  // namespace

std::string written_by(const Batch& batch) {
  return fmt::format("# Written by `gsim batch submit` of gsim {} for {}, {}.\n",
                     build_info().version, escape_controls(batch.manifest),
                     count_of(static_cast<long long>(batch.tasks.size()), "task"));
}

std::string job_name(const Batch& batch) {
  return batch.submit.name.empty() ? std::filesystem::path(batch.manifest).stem().string()
                                   : batch.submit.name;
}

std::string slurm_launcher(const Batch& batch, const Allocation& a) {
  if (!batch.launcher.empty() || a.nodes == 1) return batch.launcher;
  return std::string("srun --mpi=pmi2 --exact -N {nodes} -n {ranks} -c {threads}") +
         (a.gpus > 0 ? " --ntasks-per-node={ranks_per_node} --gpus-per-node={ranks_per_node}" : "");
}

std::string slurm_script(const Batch& batch, const Allocation& a, const JobCommand& c) {
  const bool is_array = a.elements > 0;
  std::string text = head(batch, c, is_array ? "slurm-%A_%a.log" : "slurm-%j.log");
  text += resources(batch, a);
  for (const std::string& note : a.notes) text += "# " + note + "\n";
  text += fmt::format("folder={}\n", shell_quoted(c.folder));
  text += "[ ! -e \"$folder/cancelled\" ] || exit 75\n";
  text +=
      "# At a preemption, or a while before the time limit, the tasks write checkpoints and end.\n"
      "run=\ntrap '[ -z \"$run\" ] || kill -USR1 $run' USR1 TERM\n";
  text += run_words(batch, a, c) + " &\nrun=$!\n";
  text +=
      "while kill -0 $run 2>/dev/null; do wait $run; done # a signal ends the wait, not the run\n"
      "wait $run; status=$?\n";
  if (batch.submit.requeue)
    text += fmt::format(
        "if [ $status = 75 ] && [ ! -e \"$folder/cancelled\" ]; then # stopped with checkpoints\n"
        "  scontrol requeue \"{}\"\n"
        "fi\n",
        is_array ? "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" : "$SLURM_JOB_ID");
  return text + "exit $status\n";
}

std::string slurm_collect_script(const Batch& batch, const JobCommand& c) {
  std::string text = head(batch, c, "slurm-%j.log");
  text += "#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=1\n";
  for (const std::string& option : batch.submit.options) text += "#SBATCH " + option + "\n";
  return text + fmt::format("exec {} batch collect {} --folder {}\n", shell_quoted(c.program),
                            shell_quoted(c.manifest), shell_quoted(c.folder));
}

ClusterLimits slurm_limits_in(const std::string& lines, bool is_default) {
  ClusterLimits limits;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    std::string partition, cores, time;
    for (std::string* field : {&partition, &cores, &time}) std::getline(fields, *field, '|');
    if (is_default && !partition.ends_with('*')) continue;
    const Index n = std::atol(cores.c_str());  // "64+": 64 and more
    if (n > 0 && (limits.node_cores == 0 || n < limits.node_cores)) limits.node_cores = n;
    const double seconds = seconds_of(time);
    if (seconds > 0 && (limits.time == 0 || seconds < limits.time)) limits.time = seconds;
  }
  return limits;
}

ClusterLimits slurm_limits(const Batch& batch) {
  if (!has_program("sinfo")) return {};
  std::vector<std::string> words{"sinfo", "--noheader", "--format=%P|%c|%l"};
  const bool is_default = batch.submit.partition.empty();
  if (!is_default) words.push_back("--partition=" + batch.submit.partition);
  const ProgramOutput sinfo = run_program(words);
  return sinfo.code == 0 ? slurm_limits_in(sinfo.out, is_default) : ClusterLimits();
}

}  // namespace gsim::app
