// gsim batch submit: a batch as a job of Slurm or of the Kubernetes MPI operator.

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "batch_actions.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/core/text.hpp"
#include "gsim/io/replace_file.hpp"
#include "src/app/batch/manifest.hpp"
#include "src/app/batch/output_conflicts.hpp"
#include "src/app/start/standard_streams.hpp"
#include "src/app/submission/allocation.hpp"
#include "src/app/submission/batch_status.hpp"
#include "src/app/submission/external_program.hpp"
#include "src/app/submission/mpi_job.hpp"
#include "src/app/submission/slurm_job.hpp"
#include "src/app/submission/submission.hpp"
#include "src/app/submission/task_forecast.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// A file that is submitted.
struct JobFile {
  std::string path, text;
};

JobCommand job_command(const Batch& batch, bool is_kubernetes) {
  // In a pod, gsim and the working directory are those of the image.
  if (is_kubernetes) return {batch.submit.kubernetes.program, batch.folder, batch.manifest, {}};
  return {fs::read_symlink("/proc/self/exe").string(), fs::absolute(batch.folder).string(),
          fs::absolute(batch.manifest).lexically_normal().string(), fs::current_path().string()};
}

std::vector<JobFile> job_files(const Batch& batch, const Allocation& a, bool is_kubernetes) {
  const JobCommand command = job_command(batch, is_kubernetes);
  if (is_kubernetes) return {{batch.folder + "/submit.yaml", mpi_job_manifests(batch, a, command)}};
  std::vector<JobFile> files{{batch.folder + "/submit.sbatch", slurm_script(batch, a, command)}};
  if (a.elements > 0)
    files.push_back({batch.folder + "/collect.sbatch", slurm_collect_script(batch, command)});
  return files;
}

/// Runs a program of the batch system and returns what it printed. Error if it fails.
std::string submit_by(const std::vector<std::string>& words) {
  const ProgramOutput output = run_program(words);
  if (output.code != 0)
    throw Error(fmt::format("{} failed with exit code {}: {}", fmt::join(words, " "), output.code,
                            output.err.empty() ? output.out : output.err));
  std::string text = output.out;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.pop_back();
  return text;
}

void record(const Batch& batch, BatchSystem system, const std::string& id) {
  const std::time_t now = std::time(nullptr);
  record_submission(batch.folder,
                    {system, id, fs::absolute(batch.manifest).lexically_normal().string(),
                     fmt::format("{:%F %T}", fmt::localtime(now))});
}

void submit_to_slurm(const Batch& batch, const std::vector<JobFile>& files) {
  std::string text = submit_by({"sbatch", "--parsable", files.front().path});
  const std::string id = text.substr(0, text.find(';'));  // "ID;CLUSTER"
  record(batch, BatchSystem::slurm, id);
  print_out("submitted job {} ({})\n", id, files.front().path);
  if (files.size() == 1) return;
  text = submit_by({"sbatch", "--parsable", "--dependency=afterany:" + id, files.back().path});
  const std::string collector = text.substr(0, text.find(';'));
  record(batch, BatchSystem::slurm, collector);
  print_out("submitted job {} ({}), which collects the results after job {}\n", collector,
            files.back().path, id);
}

void submit_to_kubernetes(const Batch& batch, const Allocation& a,
                          const std::vector<JobFile>& files) {
  // Objects of an earlier submission, none of which is active, have the same names.
  submit_by({"kubectl", "delete", "--ignore-not-found", "--filename=" + files.front().path});
  submit_by({"kubectl", "create", "--filename=" + files.front().path});
  for (const std::string& name : mpi_job_names(batch, a)) {
    record(batch, BatchSystem::kubernetes, batch.submit.kubernetes.space + "/" + name);
    print_out("submitted mpijob {} ({})\n", name, files.front().path);
  }
}

/// Whether the batch runs or waits now. A process of another machine is not counted, since it may
/// have ended long ago: its lock on the journal then stops the job.
bool is_busy(const BatchStatus& s) {
  return std::any_of(s.jobs.begin(), s.jobs.end(), [](const JobState& j) { return j.is_active; }) ||
         std::any_of(s.processes.begin(), s.processes.end(), [](const BatchProcess& process) {
           return process.host == host_name() || !process.job.empty();
         });
}

/// Why nothing can be submitted now; empty: it can.
std::string why_not(const Arguments& a) {
  const char* program = a.kubernetes ? "kubectl" : "sbatch";
  if (has_program(program)) return {};
  return fmt::format("there is no {} on this machine; print the {} with --dry-run{}", program,
                     a.kubernetes ? "manifest" : "job script",
                     a.kubernetes ? ", or write it with --output" : "");
}

}  // namespace

int batch_submit(const Session& session) {
  const Arguments& a = session.arguments;
  Batch batch = read_batch(a.config, a.set);
  if (!a.folder.empty()) batch.folder = a.folder;
  const bool only_prints = a.dry_run || !a.output.empty();
  if (const std::string reason = only_prints ? "" : why_not(a); !reason.empty())
    throw InputError(reason);
  if (!only_prints && is_busy(read_status(batch)))
    throw InputError(
        fmt::format("a batch runs or waits in {}; see `gsim batch status`, or choose "
                    "another folder with --folder",
                    batch.folder));
  refuse_shared_outputs(batch, session.registry);
  // A pod has no time limit unless [submit] gives one.
  const ClusterLimits limits = a.kubernetes ? ClusterLimits{0, 0, false} : slurm_limits(batch);
  const bool measures_time = limits.has_default_time && batch.submit.time == 0;
  const Allocation allocation =
      allocation_for(batch, forecast_tasks(batch, session.registry, measures_time), limits);
  const std::vector<JobFile> files = job_files(batch, allocation, a.kubernetes);
  if (a.dry_run) {
    for (std::size_t i = 0; i < files.size(); ++i)
      print_out("{}{}", i == 0 ? "" : fmt::format("\n# {}\n", files[i].path), files[i].text);
    return 0;
  }
  if (!a.output.empty()) {
    for (std::size_t i = 0; i < files.size(); ++i)
      replace_file(i == 0 ? a.output : a.output + ".collect", files[i].text);
    print_out("wrote {}{}\n", a.output,
              files.size() > 1 ? fmt::format(" and {}.collect", a.output) : "");
    return 0;
  }
  fs::create_directories(batch.folder);
  fs::remove(cancel_mark(batch.folder));
  for (const JobFile& file : files) replace_file(file.path, file.text);
  for (const std::string& note : allocation.notes) print_out("{}\n", note);
  if (a.kubernetes)
    submit_to_kubernetes(batch, allocation, files);
  else
    submit_to_slurm(batch, files);
  return 0;
}

}  // namespace gsim::app
