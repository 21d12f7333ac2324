#pragma once
// Which bytes of the local memory of a warp have been written.

#include <cstdint>
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
  /// Copies states within the local memory of a lane, with an argument or a result of a call.
  void copy(std::uint32_t lanes, std::uint32_t to, std::uint32_t from, std::uint32_t size);

 private:
  std::vector<bool> written_[32];  ///< by lane
};

}  // namespace ptxemu
