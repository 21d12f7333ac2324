#include "submission.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "external_program.hpp"
#include "gsim/core/error.hpp"

namespace gsim::app {
namespace {

constexpr const char* system_words[] = {"slurm", "kubernetes"};

std::string path_in(const std::string& folder) { return folder + "/submissions.tsv"; }

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
  return fields;
}

/// Slurm's words of jobs that will not run again (squeue(1), JOB STATE CODES).
bool has_ended(const std::string& state) {
  static const char* const words[] = {"BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE",
                                      "FAILED",    "OUT_OF_MEMORY", "TIMEOUT",   "REVOKED",
                                      "NODE_FAIL", "PREEMPTED"};
  return std::any_of(std::begin(words), std::end(words),
                     [&](const char* word) { return state.starts_with(word); });
}

/// Adds the jobs in lines of `ID|STATE|REASON|TIME|LIMIT|NODES`.
void add_slurm_lines(const std::string& lines, std::vector<JobState>& states) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string> f = split(line, '|');
    if (f.size() < 2) continue;
    f.resize(6);
    JobState job{f[0], f[1], f[2], f[3], f[4], f[5]};
    if (job.reason == "None") job.reason.clear();
    job.is_active = !has_ended(job.state);
    job.is_running = job.state == "RUNNING";
    states.push_back(std::move(job));
  }
}

void add_slurm_states(const std::string& id, std::vector<JobState>& states) {
  const std::size_t before = states.size();
  if (has_program("squeue")) {
    const ProgramOutput squeue = run_program({"squeue", "--noheader", "--array", "--states=all",
                                              "--format=%i|%T|%r|%M|%l|%N", "--jobs=" + id});
    if (squeue.code == 0) add_slurm_lines(squeue.out, states);
  }
  // squeue forgets a job some minutes after its end.
  if (states.size() == before && has_program("sacct")) {
    const ProgramOutput sacct =
        run_program({"sacct", "--noheader", "--allocations", "--parsable2",
                     "--format=JobID,State,Reason,Elapsed,Timelimit,NodeList", "--jobs=" + id});
    if (sacct.code == 0) add_slurm_lines(sacct.out, states);
  }
}

/// The words of kubectl for the object NAMESPACE/NAME.
std::vector<std::string> kubectl_words(const std::string& id,
                                       const std::vector<std::string>& action) {
  const std::size_t slash = id.find('/');
  std::vector<std::string> words{"kubectl"};
  words.insert(words.end(), action.begin(), action.end());
  words.insert(words.end(), {"mpijobs.kubeflow.org", id.substr(slash + 1)});
  if (slash > 0) words.push_back("--namespace=" + id.substr(0, slash));
  return words;
}

void add_kubernetes_state(const std::string& id, std::vector<JobState>& states) {
  if (!has_program("kubectl")) return;
  std::vector<std::string> words = kubectl_words(id, {"get"});
  words.push_back("--output=jsonpath={.status.conditions[?(@.status==\"True\")].type}");
  const ProgramOutput kubectl = run_program(words);
  if (kubectl.code != 0) return;
  JobState job;
  job.id = id;
  std::istringstream types(kubectl.out);
  for (std::string type; types >> type;) job.state = type;  // the newest is the last
  if (job.state.empty()) job.state = "Created";
  job.is_active = job.state != "Succeeded" && job.state != "Failed";
  job.is_running = job.state == "Running";
  states.push_back(std::move(job));
}

void run_or_fail(const std::vector<std::string>& words) {
  const ProgramOutput output = run_program(words);
  if (output.code == 0) return;
  std::string reason = output.err.empty() ? output.out : output.err;
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  throw Error(
      fmt::format("{} failed with exit code {}: {}", fmt::join(words, " "), output.code, reason));
}

}  // namespace

void record_submission(const std::string& folder, const Submission& s) {
  const std::string line = fmt::format("{}\t{}\t{}\t{}\n", system_words[static_cast<int>(s.system)],
                                       s.id, s.time, s.manifest);
  const int file = ::open(path_in(folder).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool is_written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!is_written)
    throw IoError(fmt::format("cannot write {}: {}", path_in(folder), std::strerror(reason)));
}

std::vector<Submission> read_submissions(const std::string& folder) {
  std::vector<Submission> list;
  std::ifstream file(path_in(folder));
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> f = split(line, '\t');
    if (f.size() != 4) continue;
    const bool is_slurm = f[0] == system_words[0];
    list.push_back({is_slurm ? BatchSystem::slurm : BatchSystem::kubernetes, f[1], f[3], f[2]});
  }
  return list;
}

std::vector<JobState> job_states(const std::vector<Submission>& submissions) {
  std::vector<JobState> states;
  for (const Submission& s : submissions) {
    if (s.system == BatchSystem::slurm)
      add_slurm_states(s.id, states);
    else
      add_kubernetes_state(s.id, states);
  }
  return states;
}

std::string cancel_mark(const std::string& folder) { return folder + "/cancelled"; }

int cancel_jobs(const std::vector<Submission>& submissions, bool at_once) {
  int count = 0;
  for (const Submission& s : submissions) {
    for (const JobState& job : job_states({s})) {
      if (!job.is_active) continue;
      ++count;
      if (s.system == BatchSystem::kubernetes) {
        std::vector<std::string> words = kubectl_words(s.id, {"delete"});
        words.push_back(at_once ? "--now" : "--wait=false");
        run_or_fail(words);
      } else if (job.is_running && !at_once) {
        // The script of the job passes the signal on to `gsim batch run`.
        run_or_fail({"scancel", "--batch", "--signal=USR1", job.id});
      } else {
        run_or_fail({"scancel", job.id});
      }
    }
  }
  return count;
}

}  // namespace gsim::app
