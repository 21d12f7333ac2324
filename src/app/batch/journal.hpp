#pragma once
// The journal of a batch: the state of each task, from which a batch that was stopped is resumed.

#include <cstdint>
#include <map>
#include <string>

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
};

/// A text file in the folder of the batch, to which a line is appended at each change of a task.
class Journal {
 public:
  /// Creates the folder and the journal. InputError where there is one, unless `resume`: then its
  /// records are read, and a last line that is incomplete is ignored.
  Journal(const std::string& folder, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The last record of each task that the journal held when it was opened.
  const std::map<std::string, TaskRecord>& records() const { return records_; }
  /// Appends a line. It survives the end of this process at any time; after a crash of the machine
  /// the last tasks may be repeated. IoError.
  void write(const std::string& task, const TaskRecord& record);

  static std::string path_in(const std::string& folder) { return folder + "/journal.tsv"; }

 private:
  int descriptor_ = -1;
  std::string path_;
  std::map<std::string, TaskRecord> records_;
};

/// Reads the journal at `path`; empty if there is none.
std::map<std::string, TaskRecord> read_journal(const std::string& path);

}  // namespace gsim::app
