#include "journal.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/core/process.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* state_words[] = {"waiting", "running", "done",
                                       "failed",  "stopped", "left out"};
constexpr const char* process_word = "process";

/// Seconds since 1970.
double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Identifier of the Slurm job of this process; empty outside of Slurm.
std::string slurm_job() {
  const auto get = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string array = get("SLURM_ARRAY_JOB_ID");
  return array.empty() ? get("SLURM_JOB_ID") : array + "_" + get("SLURM_ARRAY_TASK_ID");
}

std::string process_line(const std::string& manifest) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", process_word, host_name(), ::getpid(),
                     process_start(::getpid()), slurm_job(), fs::absolute(manifest).string());
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// Adds what one journal holds.
void read_journal(const std::string& path, JournalContents& contents) {
  std::ifstream file(path);
  std::string line;
  BatchProcess process;
  std::map<std::string, TaskRecord>
      records;  // clocks of machines differ: within a journal the order counts
  while (std::getline(file, line)) {
    if (file.eof()) break;  // without its end: the program was killed while it wrote
    std::vector<std::string> f = split(line);
    if (f.size() < 5) continue;
    if (f[0] == process_word) {
      f.resize(6);
      process = {f[1], std::atol(f[2].c_str()), f[3], f[4], f[5]};
      continue;
    }
    f.resize(7);
    TaskRecord r;
    for (int i = 0; i < static_cast<int>(std::size(state_words)); ++i)
      if (f[0] == state_words[i]) r.state = static_cast<TaskState>(i);
    r.identity = std::strtoull(f[2].c_str(), nullptr, 16);
    r.code = std::atoi(f[3].c_str());
    r.seconds = std::strtod(f[4].c_str(), nullptr);
    r.launch = std::strtoull(f[5].c_str(), nullptr, 16);
    r.time = std::strtod(f[6].c_str(), nullptr);
    records[f[1]] = r;
  }
  if (process.pid != 0) contents.processes.push_back(process);
  for (auto& [name, record] : records) {
    record.process = static_cast<int>(contents.processes.size()) - 1;
    const auto [newest, is_new] = contents.records.emplace(name, record);
    if (!is_new && record.time >= newest->second.time) newest->second = record;
  }
}

}  // namespace

const char* to_string(TaskState state) { return state_words[static_cast<int>(state)]; }

bool runs_here(const BatchProcess& process) {
  return process.host == host_name() && !process.start.empty() &&
         process_start(process.pid) == process.start;
}

std::vector<std::string> journal_paths(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("journal.") && name.ends_with(".tsv"))
      paths.push_back((fs::path(folder) / name).string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

JournalContents read_journals(const std::string& folder) {
  JournalContents contents;
  for (const std::string& path : journal_paths(folder)) read_journal(path, contents);
  return contents;
}

std::string Journal::path_of(const Batch& batch) {
  if (batch.parts == 1) return batch.folder + "/journal.tsv";
  return fmt::format("{}/journal.{}-of-{}.tsv", batch.folder, batch.part, batch.parts);
}

Journal::Journal(const Batch& batch, bool resume) : path_(path_of(batch)) {
  std::error_code error;
  fs::create_directories(batch.folder, error);
  if (error)
    throw InputError(fmt::format("cannot make the folder {}: {}", batch.folder, error.message()));
  if (resume)
    records_ = read_journals(batch.folder).records;
  else if (batch.parts == 1 ? !journal_paths(batch.folder).empty() : fs::exists(path_, error))
    throw InputError(
        fmt::format("{} holds a batch already: go on with --resume, or choose another "
                    "folder with --folder",
                    batch.folder));
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  if (resume) append("\n");  // ends a line that was cut off
  append(process_line(batch.manifest));
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::append(const std::string& line) {
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

void Journal::write(const std::string& task, const TaskRecord& r) {
  append(fmt::format("{}\t{}\t{}\t{}\t{:.3f}\t{}\t{:.3f}\n", to_string(r.state), task,
                     hex(r.identity), r.code, r.seconds, hex(r.launch), now()));
}

}  // namespace gsim::app
