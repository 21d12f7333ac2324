#pragma once
// Shadow memory of the race check: for each word or byte, the last write and the reads since.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "checks/vector_clock.hpp"

namespace ptxemu {

struct Op;

/// An access of lanes of one warp in one instruction.
struct Access {
  const Op* op = nullptr;    ///< null: none
  Time time = 0;             ///< when the instruction was executed
  std::uint32_t warp = 0;    ///< number in the grid
  std::uint32_t lanes = 0;   ///< mask; 0: several threads of the block, `time` is the earliest
  bool strong = false;       ///< atomic, relaxed, acquire, release or volatile
  bool device_wide = false;  ///< of a strong access: the scope is more than the block
};

/// The accesses to one word or byte that a later one may conflict with.
struct Cell {
  Access write, read;
  /// reads in addition to `read`
  std::unique_ptr<std::vector<Access>> more_reads;
  Cell() = default;
  Cell(const Cell& other);
  Cell& operator=(const Cell&) = delete;
};

/// Cells by address, one per word of 4 bytes or, in pages where a smaller access has occurred, one
/// per byte.
class ShadowMemory {
 public:
  struct Range {
    Cell* first = nullptr;
    int count = 0;
  };
  /// The cells of an aligned access of up to 32 bytes.
  Range cells(std::uint64_t address, int size);

 private:
  static constexpr std::uint64_t page_size = 1024;
  struct Page {
    bool bytes = false;
    std::vector<Cell> cells;
  };
  static void split_to_bytes(Page& page);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_page_ = nullptr;
};

}  // namespace ptxemu
