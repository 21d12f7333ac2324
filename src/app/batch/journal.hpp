#pragma once
// The journal of a batch: the state of each task, from which a batch that was stopped is resumed.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "manifest.hpp"

namespace gsim::app {

enum class TaskState { waiting, running, done, failed, stopped, left_out };

/// "waiting", "running", "done", "failed", "stopped", "left out".
const char* to_string(TaskState state);

struct TaskRecord {
  TaskState state = TaskState::waiting;
  int code = 0;  ///< exit code; 128 + signal
  double seconds = 0;
  /// Digest of the text of the configuration and the overrides; a task is repeated when it changes.
  std::uint64_t identity = 0;
  /// As `identity`, with the values of references: a checkpoint fits only the same one.
  std::uint64_t launch = 0;
  double time = 0;   ///< when the record was written, in seconds since 1970
  int process = -1;  ///< as read: position in JournalContents::processes
};

/// A process `gsim batch run` that wrote a journal.
struct BatchProcess {
  std::string host;
  long pid = 0;
  std::string start;     ///< its start in clock ticks since the start of the machine
  std::string job;       ///< identifier of the Slurm job, "12" or "12_3" of an array; empty: none
  std::string manifest;  ///< absolute path
};

/// Whether a process with this identifier and start runs on this machine.
bool runs_here(const BatchProcess& process);

/// What all journals in a folder hold.
struct JournalContents {
  std::map<std::string, TaskRecord> records;  ///< the newest of each task
  std::vector<BatchProcess> processes;        ///< the last one of each journal
};

/// The paths of the journals in `folder`, sorted.
std::vector<std::string> journal_paths(const std::string& folder);

/// Reads the journals in `folder`: that of the whole batch and those of parts. A line without its
/// end, which was cut off, is ignored. Empty if there is none.
JournalContents read_journals(const std::string& folder);

/// A text file in the folder of the batch, to which a line is appended at each change of a task.
class Journal {
 public:
  /// Creates the folder and the journal of `batch` or of its part. InputError where there is one,
  /// or, for the whole, one of a part, unless `resume`: then the records of all journals in the
  /// folder are read.
  Journal(const Batch& batch, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The last record of each task that the journals held when this one was opened.
  const std::map<std::string, TaskRecord>& records() const { return records_; }
  /// Appends a line. It survives the end of this process at any time; after a crash of the machine
  /// the last tasks may be repeated. IoError.
  void write(const std::string& task, const TaskRecord& record);

  /// The path of the journal of `batch`, or of its part: FOLDER/journal.tsv,
  /// FOLDER/journal.3-of-10.tsv.
  static std::string path_of(const Batch& batch);

 private:
  void append(const std::string& line);

  int descriptor_ = -1;
  std::string path_;
  std::map<std::string, TaskRecord> records_;
};

}  // namespace gsim::app
