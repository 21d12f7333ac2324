#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/checksum_trailer.hpp"

namespace gsim::io {
namespace {

/// One dataset of a digest table, with the data required to verify it.
struct Section {
  std::string path;
  StoredShape shape;
  Index rows_per_block;
  Index first_block;  ///< index in the whole table
  Index blocks;
};

std::vector<Section> sections_of(const Hdf5Reader& file, const DigestTable& table) {
  const std::size_t n = table.datasets.size();
  bool fits = table.rows_per_block.size() == n && table.blocks.size() == n;
  std::vector<Section> sections;
  Index next = 0;
  for (std::size_t i = 0; fits && i < n; ++i) {
    const StoredShape shape = file.shape(table.datasets[i]);
    const Index rows = table.rows_per_block[i];
    fits = rows > 0 && table.blocks[i] == shape.rows / rows + (shape.rows % rows != 0);
    sections.push_back({table.datasets[i], shape, rows, next, table.blocks[i]});
    next += table.blocks[i];
  }
  if (!fits || next != static_cast<Index>(table.digests.size())) {
    throw IoError(
        fmt::format("the table of digests of {} does not match its datasets", file.path()));
  }
  return sections;
}

IndexRange rows_of(const Section& section, Index block) {
  const Index first = block * section.rows_per_block;
  return {first, std::min(section.shape.rows, first + section.rows_per_block)};
}

/// The first of `blocks` (numbered within the section) that fails; -1 if none does.
Index first_bad_block(const Hdf5Reader& file, const Section& section, IndexRange blocks,
                      const std::vector<std::uint64_t>& digests) {
  std::vector<char> buffer;
  const std::size_t row_bytes =
      section.shape.type.size() * static_cast<std::size_t>(section.shape.columns);
  for (Index block = blocks.first; block < blocks.last; ++block) {
    const IndexRange rows = rows_of(section, block);
    buffer.resize(static_cast<std::size_t>(rows.size()) * row_bytes);
    try {
      file.read(section.path, section.shape.type, rows, buffer.data());
    } catch (const IoError&) {
      return block;  // an unreadable block is damaged; the message names its rows
    }
    if (digest_bytes(buffer) != digests[static_cast<std::size_t>(section.first_block + block)]) {
      return block;
    }
  }
  return -1;
}

std::string describe_block(const std::vector<Section>& sections, Index block) {
  for (const Section& section : sections) {
    if (block < section.first_block || block >= section.first_block + section.blocks) continue;
    const IndexRange rows = rows_of(section, block - section.first_block);
    return fmt::format("fails its digest (dataset {}, rows {}–{})", section.path, rows.first,
                       rows.last - 1);
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
  std::vector<Section> sections;
  communicator.agree([&] { sections = sections_of(file, table); });
  const auto total = static_cast<Index>(table.digests.size());
  const IndexRange mine = partition({0, total}, communicator.size(), communicator.rank());
  Index bad = total;
  communicator.agree([&] {
    for (const Section& section : sections) {
      const IndexRange blocks{std::max(mine.first - section.first_block, Index{0}),
                              std::min(mine.last - section.first_block, section.blocks)};
      const Index found = first_bad_block(file, section, blocks, table.digests);
      if (found < 0) continue;
      bad = section.first_block + found;
      break;
    }
  });
  bad = communicator.min(bad);
  if (bad == total) return std::nullopt;
  return describe_block(sections, bad);
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
