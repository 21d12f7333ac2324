#include "src/io/files/block_digest.hpp"

#include <algorithm>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gsim::io {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

/// The rank that holds `row`; empty ranges hold no rows.
std::size_t owner_of(Index row, const std::vector<IndexRange>& ranges) {
  std::size_t rank = 0;
  while (row >= ranges[rank].last) ++rank;
  return rank;
}

/// The number of rows at the beginning of `range` that belong to a block which begins on an earlier
/// rank.
Index head_rows(IndexRange range, Index rows) {
  const Index offset_in_block = range.first % rows;
  return range.empty() || offset_in_block == 0 ? 0 : std::min(rows - offset_in_block, range.size());
}

}  // namespace

Index rows_per_block(std::size_t row_bytes) {
  return std::max<Index>(1, static_cast<Index>(block_bytes / std::max<std::size_t>(row_bytes, 1)));
}

std::uint64_t digest_bytes(std::span<const char> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

StreamDigest::StreamDigest() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}

StreamDigest::~StreamDigest() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void StreamDigest::update(std::span<const char> bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}

std::uint64_t StreamDigest::value() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

std::vector<std::uint64_t> digest_blocks(const Communicator& communicator,
                                         const std::vector<IndexRange>& ranges,
                                         std::size_t row_bytes, std::span<const char> mine) {
  const IndexRange local = ranges[static_cast<std::size_t>(communicator.rank())];
  const Index rows = rows_per_block(row_bytes);
  const Index head = head_rows(local, rows);

  std::vector<std::vector<char>> tails;  // parts of this rank's last block on other ranks
  const bool spans_ranks = std::any_of(ranges.begin(), ranges.end(),
                                       [rows](IndexRange r) { return head_rows(r, rows) > 0; });
  if (spans_ranks) {
    std::vector<std::vector<char>> outgoing(ranges.size());
    if (head > 0) {
      const auto bytes = mine.first(static_cast<std::size_t>(head) * row_bytes);
      outgoing[owner_of(local.first - local.first % rows, ranges)].assign(bytes.begin(),
                                                                          bytes.end());
    }
    tails = communicator.exchange(outgoing);
  }

  std::vector<std::uint64_t> digests;
  for (Index row = local.first + head; row < local.last; row += rows) {
    const Index count = std::min(rows, local.last - row);
    StreamDigest digest;
    digest.update(mine.subspan(static_cast<std::size_t>(row - local.first) * row_bytes,
                               static_cast<std::size_t>(count) * row_bytes));
    if (count < rows) {
      for (const auto& tail : tails) digest.update(tail);
    }
    digests.push_back(digest.value());
  }
  const Index total = ranges.back().last;
  if (ranges.front().size() == total) return digests;  // rank 0 holds the complete dataset
  return communicator.gather(std::span<const std::uint64_t>(digests));
}

}  // namespace gsim::io
