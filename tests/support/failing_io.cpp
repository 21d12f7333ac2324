// A shared object for LD_PRELOAD that makes selected system calls on selected files fail, as a
// broken or full disk would. Settings from the environment:
//   GSIM_FAULT_PATH   selects the calls on files whose path contains this text
//   GSIM_FAULT_CALL   selects one call, such as "fsync"; empty: all calls below
//   GSIM_FAULT_RANK   selects one rank of MPICH; empty: all ranks
//   GSIM_FAULT_AT     which of the selected calls fails, counted from 1; 0: none
//   GSIM_FAULT_ERRNO  the errno of the failure
//   GSIM_FAULT_LASTS  not empty: all later calls fail too, as on a disk that stays full
//   GSIM_FAULT_SPREADS  not empty: after the first failure every write fails, to any file, pipe
//                       or socket, also in libraries
//   GSIM_FAULT_COUNT  file to which the number of selected calls is written at the end

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

struct State {
  std::string path = setting("GSIM_FAULT_PATH"), call = setting("GSIM_FAULT_CALL");
  bool lasts = *setting("GSIM_FAULT_LASTS") != '\0';
  bool spreads = *setting("GSIM_FAULT_SPREADS") != '\0', all_writes_fail = false;
  long failing_call = std::atol(setting("GSIM_FAULT_AT"));
  int error = std::atoi(setting("GSIM_FAULT_ERRNO"));
  bool is_this_rank = *setting("GSIM_FAULT_RANK") == '\0' ||
                      std::strcmp(setting("GSIM_FAULT_RANK"), setting("PMI_RANK")) == 0;
  long calls = 0;
  std::set<int> files;
  std::recursive_mutex mutex;
};

State& state() {
  static State& instance =
      *new State;  // never destroyed, because files are closed until the process ends
  return instance;
}

__attribute__((destructor)) void write_count() {
  const char* count = setting("GSIM_FAULT_COUNT");
  if (*count == '\0' || state().calls == 0) return;
  if (std::FILE* out = std::fopen(count, "w")) {
    std::fprintf(out, "%ld\n", state().calls);
    std::fclose(out);
  }
}

bool is_selected(const char* path) {
  const State& s = state();
  return s.is_this_rank && path != nullptr && !s.path.empty() && std::strstr(path, s.path.c_str());
}

bool is_selected(int file) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return s.files.count(file) != 0;
}

/// Counts a call; returns true and sets errno if it must fail.
bool fails(const char* call) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (!s.call.empty() && s.call != call) return false;
  ++s.calls;
  if (s.failing_call == 0 || (s.lasts ? s.calls < s.failing_call : s.calls != s.failing_call))
    return false;
  s.all_writes_fail = s.spreads;
  errno = s.error;
  return true;
}

/// Returns true and sets errno if every write fails now.
bool all_writes_fail() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.all_writes_fail) errno = s.error;
  return s.all_writes_fail;
}

/// Records the descriptor of a selected file, so that later calls on it are selected, too.
int record_if_selected(const char* path, int file) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (file >= 0 && is_selected(path)) s.files.insert(file);
  return file;
}

/// glibc's function of this name, which the function of the same name below replaces.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// Each function replaces glibc's function of the same name. The variants for large files are
// identical on 64 bits.
extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if ((flags & O_ACCMODE) == O_RDONLY) return real<int(const char*, int, ...)>("open")(path, flags);
  if (is_selected(path) && fails("open")) return -1;
  return record_if_selected(path, real<int(const char*, int, ...)>("open")(path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return open(path, flags, mode);
}
int close(int file) {
  State& s = state();
  const bool fail = is_selected(file) && fails("close");
  {
    const std::lock_guard lock(s.mutex);
    s.files.erase(file);
  }
  const int result = real<int(int)>("close")(file);  // Linux closes the descriptor in any case
  if (fail) errno = s.error;
  return fail ? -1 : result;
}
ssize_t write(int file, const void* data, size_t size) {
  if (all_writes_fail() || (is_selected(file) && fails("write"))) return -1;
  return real<ssize_t(int, const void*, size_t)>("write")(file, data, size);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  if (all_writes_fail() || (is_selected(file) && fails("write"))) return -1;
  return real<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, data, size, at);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  return pwrite(file, data, size, at);
}
int ftruncate(int file, off_t size) {
  if (is_selected(file) && fails("truncate")) return -1;
  return real<int(int, off_t)>("ftruncate")(file, size);
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int truncate(const char* path, off_t size) {
  // truncation to 0 frees space and does not fail on a full disk
  if (size > 0 && is_selected(path) && fails("truncate")) return -1;
  return real<int(const char*, off_t)>("truncate")(path, size);
}
int truncate64(const char* path, off64_t size) { return truncate(path, size); }
int fallocate(int file, int mode, off_t from, off_t size) {
  if (is_selected(file) && fails("fallocate")) return -1;
  return real<int(int, int, off_t, off_t)>("fallocate")(file, mode, from, size);
}
int fallocate64(int file, int mode, off64_t from, off64_t size) {
  return fallocate(file, mode, from, size);
}
int fsync(int file) {
  if (is_selected(file) && fails("fsync")) return -1;
  return real<int(int)>("fsync")(file);
}
int fdatasync(int file) {
  if (is_selected(file) && fails("fsync")) return -1;
  return real<int(int)>("fdatasync")(file);
}
int rename(const char* from, const char* to) {
  if (is_selected(from) && fails("rename")) return -1;
  return real<int(const char*, const char*)>("rename")(from, to);
}
std::FILE* fopen(const char* path, const char* mode) {
  const bool writes = std::strpbrk(mode, "wa+") != nullptr;
  if (writes && is_selected(path) && fails("open")) return nullptr;
  std::FILE* file = real<std::FILE*(const char*, const char*)>("fopen")(path, mode);
  if (file != nullptr && writes) record_if_selected(path, fileno(file));
  return file;
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
size_t fwrite(const void* data, size_t size, size_t count, std::FILE* file) {
  if (is_selected(fileno(file)) && fails("write")) return 0;
  return real<size_t(const void*, size_t, size_t, std::FILE*)>("fwrite")(data, size, count, file);
}
int fclose(std::FILE* file) {
  State& s = state();
  const int number = fileno(file);
  const bool fail = is_selected(number) && fails("close");
  {
    const std::lock_guard lock(s.mutex);
    s.files.erase(number);
  }
  const int result = real<int(std::FILE*)>("fclose")(file);
  if (fail) errno = s.error;
  return fail ? EOF : result;
}

}  // extern "C"
