#include "runtime/node_memory.hpp"

#include <cerrno>
#include <csignal>
#include <new>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ptxemu {
namespace {
bool has_ended(std::int64_t process) {
  return kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}
}  // namespace

NodeMemory::NodeMemory(const std::string& path) {
  if (path.empty()) return;
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0 || ftruncate(file_, processes * sizeof(Process)) != 0) throw std::bad_alloc();
  void* const start =
      mmap(nullptr, processes * sizeof(Process), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  table_ = static_cast<Process*>(start);
}

NodeMemory::~NodeMemory() {
  if (own_ != nullptr) *own_ = {};
  if (table_ != nullptr) munmap(table_, processes * sizeof(Process));
  if (file_ >= 0) ::close(file_);
}

NodeMemory::Lock::Lock(const NodeMemory& memory) : file_(memory.file_) {
  if (file_ >= 0) flock(file_, LOCK_EX);
}
NodeMemory::Lock::~Lock() {
  if (file_ >= 0) flock(file_, LOCK_UN);
}

std::uint64_t NodeMemory::used_by_others(int number) const {
  if (table_ == nullptr) return 0;
  std::uint64_t sum = 0;
  for (Process* each = table_; each != table_ + processes; ++each) {
    if (each->process == 0 || each->process == getpid()) continue;
    if (has_ended(each->process))
      *each = {};
    else
      sum += each->used[number];
  }
  return sum;
}

NodeMemory::Process& NodeMemory::own_entry() {
  if (own_ != nullptr) return *own_;
  for (Process* each = table_; each != table_ + processes; ++each)
    if (each->process == 0 || each->process == getpid() || has_ended(each->process)) {
      *each = {};
      each->process = getpid();
      return *(own_ = each);
    }
  throw std::bad_alloc();
}

void NodeMemory::set_used(int number, std::uint64_t bytes) {
  if (table_ != nullptr) own_entry().used[number] = bytes;
}

}  // namespace ptxemu
