#include "task_estimates.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/core/error.hpp"

namespace gsim::app {
namespace {

using Wanted = std::function<bool(const std::string& name)>;

TaskEstimates read_one(const std::string& file, const Wanted& is_wanted) {
  TaskEstimates result;
  try {
    result.estimates = read_estimates(file);
    std::erase_if(result.estimates, [&](const StoredEstimate& e) { return !is_wanted(e.path); });
  } catch (const InputError& error) {
    std::error_code none;
    result.damage = std::filesystem::exists(file, none)
                        ? error.what()
                        : fmt::format("it ended without an error, but wrote no {}", file);
  }
  return result;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Writes and reads values in one stream; reading past the end, and a failed write, clear is_good.
struct Stream {
  std::FILE* file;
  bool is_good = true;

  template <class T>
  void put(const T& value) {
    is_good = is_good && std::fwrite(&value, sizeof value, 1, file) == 1;
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    is_good = is_good && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  }
  template <class T>
  void get(T& value) {
    is_good = is_good && std::fread(&value, sizeof value, 1, file) == 1;
  }
  void get(std::string& text) {
    std::uint64_t size = 0;
    get(size);
    text.resize(is_good ? size : 0);
    is_good = is_good && std::fread(text.data(), 1, text.size(), file) == text.size();
  }
};

void put(Stream& stream, const TaskEstimates& task) {
  stream.put(task.damage);
  stream.put(static_cast<std::uint64_t>(task.estimates.size()));
  for (const StoredEstimate& e : task.estimates) {
    stream.put(e.path);
    stream.put(e.row);
    stream.put(e.unit);
    stream.put(e.value);
    stream.put(e.error);
  }
}

/// Whether a whole record was read.
bool get(Stream& stream, TaskEstimates& task) {
  std::uint64_t size = 0;
  stream.get(task.damage);
  stream.get(size);
  for (std::uint64_t i = 0; i < size && stream.is_good; ++i) {
    StoredEstimate e;
    stream.get(e.path);
    stream.get(e.row);
    stream.get(e.unit);
    stream.get(e.value);
    stream.get(e.error);
    task.estimates.push_back(std::move(e));
  }
  return stream.is_good;
}

/// A copy of this process that reads a part of the list, and the memory in which it leaves them.
struct Reader {
  pid_t process = -1;
  File memory;
};

Reader start_reader(const std::vector<std::string>& files, IndexRange part,
                    const Wanted& is_wanted) {
  Reader reader;
  const int descriptor = ::memfd_create("gsim estimates", MFD_CLOEXEC);
  if (descriptor < 0) return reader;
  reader.memory.reset(::fdopen(descriptor, "w+b"));
  std::fflush(nullptr);
  reader.process = reader.memory ? ::fork() : -1;
  if (reader.process != 0) return reader;
  try {
    Stream stream{reader.memory.get()};
    for (Index i = part.first; i < part.last && stream.is_good; ++i)
      put(stream, read_one(files[static_cast<std::size_t>(i)], is_wanted));
    std::fflush(reader.memory.get());
  } catch (const std::exception&) {
    // The first process reads the file again, and reports the error.
  }
  ::_exit(0);
}

}  // namespace

std::vector<TaskEstimates> read_task_estimates(const std::vector<std::string>& files,
                                               Index processes, const Wanted& is_wanted) {
  constexpr Index least_part = 64;  // files, which take longer than a new process
  const auto count = static_cast<Index>(files.size());
  const Index parts = std::clamp<Index>(std::min(processes, count / least_part), 1, 256);
  std::vector<Reader> readers;
  for (Index p = 0; parts > 1 && p < parts; ++p)
    readers.push_back(start_reader(files, {count * p / parts, count * (p + 1) / parts}, is_wanted));
  std::vector<TaskEstimates> tasks(files.size());
  std::vector<bool> is_read(files.size(), false);
  for (std::size_t p = 0; p < readers.size(); ++p) {
    if (readers[p].process < 0) continue;
    ::waitpid(readers[p].process, nullptr, 0);
    std::rewind(readers[p].memory.get());
    Stream stream{readers[p].memory.get()};
    const Index part = static_cast<Index>(p);
    for (Index i = count * part / parts; i < count * (part + 1) / parts; ++i) {
      const auto at = static_cast<std::size_t>(i);
      is_read[at] = get(stream, tasks[at]);
      if (!is_read[at]) break;
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!is_read[i]) tasks[i] = read_one(files[i], is_wanted);
  return tasks;
}

}  // namespace gsim::app
