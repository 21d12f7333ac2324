#pragma once
// Which bytes of the local memory of a warp have been written.

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ptxemu {

/// One state for each byte of local memory of each lane; offsets are those of Warp::local().
class LocalState {
 public:
  /// Local memory [base, base + size) of the lanes becomes uninitialised: a function starts there.
  void begin_function(std::uint32_t lanes, std::uint32_t base, std::uint32_t size);
  void write(int lane, std::uint64_t offset, std::uint64_t size, bool written = true);
  /// Whether at least one byte has been written.
  bool any_written(int lane, std::uint64_t offset, std::uint64_t size) const;
  /// Whether a register that only passes on what a load reads holds an uninitialised value.
  void set_uninitialised(int reg, int lane, bool uninitialised);
  bool is_uninitialised(int reg, int lane) const;
  /// Copies states within the local memory of a lane, with an argument or a result of a call.
  void copy(std::uint32_t lanes, std::uint32_t to, std::uint32_t from, std::uint32_t size);

 private:
  std::vector<bool> written_[32];                                   ///< by lane
  std::unordered_map<int, std::uint32_t> uninitialised_registers_;  ///< to the mask of lanes
};

}  // namespace ptxemu
