#include "journal.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"

namespace gsim::app {
namespace {

constexpr const char* state_words[] = {"waiting", "running", "done",
                                       "failed",  "stopped", "left out"};

}  // namespace

const char* to_string(TaskState state) { return state_words[static_cast<int>(state)]; }

std::map<std::string, TaskRecord> read_journal(const std::string& path) {
  std::map<std::string, TaskRecord> records;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (file.eof()) break;  // without its end: the program was killed while it wrote
    std::istringstream fields(line);
    std::string state, name, identity;
    TaskRecord r;
    if (!std::getline(fields, state, '\t') || !std::getline(fields, name, '\t') ||
        !std::getline(fields, identity, '\t') || !(fields >> r.code >> r.seconds))
      continue;
    for (int i = 0; i < static_cast<int>(std::size(state_words)); ++i)
      if (state == state_words[i]) r.state = static_cast<TaskState>(i);
    r.identity = std::strtoull(identity.c_str(), nullptr, 16);
    if (std::string launch; fields >> launch) r.launch = std::strtoull(launch.c_str(), nullptr, 16);
    records[name] = r;
  }
  return records;
}

Journal::Journal(const std::string& folder, bool resume) : path_(path_in(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw InputError(fmt::format("cannot make the folder {}: {}", folder, error.message()));
  if (resume)
    records_ = read_journal(path_);
  else if (std::filesystem::exists(path_, error))
    throw InputError(
        fmt::format("{} holds a batch already: go on with --resume, or choose another "
                    "folder with --folder",
                    folder));
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  if (resume) {  // ends a line that was cut off
    const std::string end = "\n";
    if (::write(descriptor_, end.data(), end.size()) < 0)
      throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::write(const std::string& task, const TaskRecord& r) {
  const std::string line = fmt::format("{}\t{}\t{}\t{}\t{:.3f}\t{}\n", to_string(r.state), task,
                                       hex(r.identity), r.code, r.seconds, hex(r.launch));
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

}  // namespace gsim::app
