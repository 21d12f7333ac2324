#pragma once
// Digests of datasets in blocks of about 1 MiB of rows, numbered globally: independent of which
// rank wrote which rows, and fine enough to locate damage. The function is 64-bit XXH3 (Y. Collet,
// xxHash 0.8), whose cost is negligible compared to disk access.

#include <cstdint>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"

namespace gsim::io {

/// Number of rows of `row_bytes` bytes in one block.
Index rows_per_block(std::size_t row_bytes);

/// XXH3 of contiguous memory.
std::uint64_t digest_bytes(std::span<const char> bytes);

/// XXH3 of data added in pieces.
class StreamDigest {
 public:
  StreamDigest();
  ~StreamDigest();
  StreamDigest(const StreamDigest&) = delete;
  StreamDigest& operator=(const StreamDigest&) = delete;
  void update(std::span<const char> bytes);
  std::uint64_t value() const;

 private:
  void* state_;
};

/// Digests of all blocks of a dataset, on rank 0 (empty on the others). `ranges` tile the rows in
/// rank order; `mine` holds this rank's rows. Blocks that span several ranks are assembled by the
/// rank of their first row. Collective.
std::vector<std::uint64_t> digest_blocks(const Communicator& communicator,
                                         const std::vector<IndexRange>& ranges,
                                         std::size_t row_bytes, std::span<const char> mine);

}  // namespace gsim::io
