#pragma once
// The record of what was submitted, in the folder of a batch, and the state of those jobs.

#include <string>
#include <vector>

namespace gsim::app {

enum class BatchSystem { slurm, kubernetes };

/// A line of FOLDER/submissions.tsv.
struct Submission {
  BatchSystem system = BatchSystem::slurm;
  std::string id;        ///< Slurm: job identifier; Kubernetes: NAMESPACE/NAME
  std::string manifest;  ///< absolute path
  std::string time;      ///< "2026-11-28 19:03:12"
};

/// Appends a line; the folder must exist. IoError.
void record_submission(const std::string& folder, const Submission& submission);
/// All lines, the oldest first; empty without a record.
std::vector<Submission> read_submissions(const std::string& folder);

/// A job, or an element of a job array, that the batch system still knows.
struct JobState {
  std::string id;     ///< "12", "12_3"; Kubernetes: NAMESPACE/NAME
  std::string state;  ///< Slurm's or the operator's word: "RUNNING", "PENDING", "Succeeded"
  std::string reason, time, limit, nodes;
  bool is_active = false;   ///< waits or runs
  bool is_running = false;  ///< runs
};

/// The states of submitted jobs, from squeue, sacct or kubectl. Jobs of which no program here knows
/// anything are left out.
std::vector<JobState> job_states(const std::vector<Submission>& submissions);

/// The file whose presence says that the batch was cancelled: job scripts do not queue again then.
std::string cancel_mark(const std::string& folder);

/// Ends the submitted jobs that are active: `at_once`: as the batch system does, else running ones
/// are told to end at checkpoints. Returns the number of jobs. Error with the text of the program
/// that failed.
int cancel_jobs(const std::vector<Submission>& submissions, bool at_once);

}  // namespace gsim::app
