#pragma once
// Device memory that all processes of the node together use.

#include <cstdint>
#include <string>

namespace ptxemu {

/// A table in a file, which processes with the same setting PTXEMU_NODE map: the bytes that each
/// process uses of each device. Entries of processes that have ended do not count. Without a file
/// it contains this process only.
class NodeMemory {
 public:
  /// Maps the file, and creates it if it does not exist. Throws std::bad_alloc if that fails.
  explicit NodeMemory(const std::string& path);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// Bytes of device `number` that other processes use.
  std::uint64_t used_by_others(int number) const;
  /// Sets the bytes that this process uses of device `number`.
  void set_used(int number, std::uint64_t bytes);

  static constexpr int devices = 64, processes = 256;

  /// Excludes other processes while it exists.
  class Lock {
   public:
    explicit Lock(const NodeMemory& memory);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    int file_;
  };

 private:
  struct Process {
    std::int64_t process;  ///< 0: unused
    std::uint64_t used[devices];
  };
  Process& own_entry();

  int file_ = -1;
  Process* table_ = nullptr;  ///< null without a file
  Process* own_ = nullptr;
};

}  // namespace ptxemu
