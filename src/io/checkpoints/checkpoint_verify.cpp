#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/checksum_trailer.hpp"

namespace gsim::io {
namespace {

/// One dataset of a digest table, with its blocks.
struct DigestedDataset {
  std::string path;
  StoredShape shape;
  Index rows_per_block;
  Index first_block;  ///< index of its first block among the blocks of all datasets
  Index blocks;
};

std::vector<DigestedDataset> digested_datasets(const Hdf5Reader& file, const DigestTable& table) {
  const std::size_t n = table.datasets.size();
  bool fits = table.rows_per_block.size() == n && table.blocks.size() == n;
  std::vector<DigestedDataset> datasets;
  Index next = 0;
  for (std::size_t i = 0; fits && i < n; ++i) {
    const StoredShape shape = file.shape(table.datasets[i]);
    const Index rows = table.rows_per_block[i];
    fits = rows > 0 && table.blocks[i] == shape.rows / rows + (shape.rows % rows != 0);
    datasets.push_back({table.datasets[i], shape, rows, next, table.blocks[i]});
    next += table.blocks[i];
  }
  if (!fits || next != static_cast<Index>(table.digests.size())) {
    throw IoError(
        fmt::format("the table of digests of {} does not match its datasets", file.path()));
  }
  return datasets;
}

IndexRange rows_of(const DigestedDataset& dataset, Index block) {
  const Index first = block * dataset.rows_per_block;
  return {first, std::min(dataset.shape.rows, first + dataset.rows_per_block)};
}

/// The first of `blocks` (numbered within the dataset) that fails; -1 if none does.
Index first_bad_block(const Hdf5Reader& file, const DigestedDataset& dataset, IndexRange blocks,
                      const std::vector<std::uint64_t>& digests) {
  std::vector<char> buffer;
  const std::size_t row_bytes =
      dataset.shape.type.size() * static_cast<std::size_t>(dataset.shape.columns);
  for (Index block = blocks.first; block < blocks.last; ++block) {
    const IndexRange rows = rows_of(dataset, block);
    buffer.resize(static_cast<std::size_t>(rows.size()) * row_bytes);
    try {
      file.read(dataset.path, dataset.shape.type, rows, buffer.data());
    } catch (const IoError&) {
      return block;  // an unreadable block is damaged; the message names its rows
    }
    if (digest_bytes(buffer) != digests[static_cast<std::size_t>(dataset.first_block + block)]) {
      return block;
    }
  }
  return -1;
}

std::string describe_block(const std::vector<DigestedDataset>& datasets, Index block) {
  for (const DigestedDataset& dataset : datasets) {
    if (block < dataset.first_block || block >= dataset.first_block + dataset.blocks) continue;
    const IndexRange rows = rows_of(dataset, block - dataset.first_block);
    return fmt::format("does not match its digest (dataset {}, rows {}–{})", dataset.path,
                       rows.first, rows.last - 1);
  }
  throw Error("internal error: a damaged block outside all datasets");
}

}  // namespace

DigestTable read_digest_table(const Hdf5Reader& file) {
  return {file.read_strings("checkpoint/datasets"),
          file.read_all<Index>("checkpoint/rows_per_block"),
          file.read_all<Index>("checkpoint/blocks"),
          file.read_all<std::uint64_t>("checkpoint/digests")};
}

std::optional<std::string> verify_contents(const Communicator& communicator, const Hdf5Reader& file,
                                           const DigestTable& table) {
  std::vector<DigestedDataset> datasets;
  communicator.agree([&] { datasets = digested_datasets(file, table); });
  const auto total = static_cast<Index>(table.digests.size());
  const IndexRange mine = partition({0, total}, communicator.size(), communicator.rank());
  Index bad = total;
  communicator.agree([&] {
    for (const DigestedDataset& dataset : datasets) {
      const IndexRange blocks{std::max(mine.first - dataset.first_block, Index{0}),
                              std::min(mine.last - dataset.first_block, dataset.blocks)};
      const Index found = first_bad_block(file, dataset, blocks, table.digests);
      if (found < 0) continue;
      bad = dataset.first_block + found;
      break;
    }
  });
  bad = communicator.min(bad);
  if (bad == total) return std::nullopt;
  return describe_block(datasets, bad);
}

VerifiedCheckpoint verify_checkpoint(const Communicator& communicator, const std::string& path) {
  std::string damage;
  if (communicator.is_root()) {
    if (const auto reason = damage_of_checkpoint(path))
      damage = fmt::format("{} {}", path, *reason);
  }
  damage = communicator.broadcast(damage);
  if (!damage.empty()) return {nullptr, damage};
  VerifiedCheckpoint result;
  try {
    DigestTable table;
    communicator.agree([&] {
      result.file = std::make_unique<Hdf5Reader>(path);
      table = read_digest_table(*result.file);
    });
    if (const auto reason = verify_contents(communicator, *result.file, table)) {
      return {nullptr, fmt::format("{} {}", path, *reason)};
    }
  } catch (const IoError& error) {
    return {nullptr, fmt::format("{} cannot be read: {}", path, error.what())};
  }
  return result;
}

}  // namespace gsim::io
