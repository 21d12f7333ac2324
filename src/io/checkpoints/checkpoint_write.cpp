#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/hdf5/hdf5_writer.hpp"

namespace gsim {
namespace io {
namespace {

/// Writes datasets under /state and records their digests.
class CheckpointWriter : public DatasetWriter {
 public:
  explicit CheckpointWriter(Hdf5Writer& file) : file_(file) {}

  using DatasetWriter::write_rows;
  void write_rows(std::string_view path, const DatasetShape& shape, IndexRange local,
                  const void* data) override {
    const StoredType type{shape.type, 0};
    const auto ranges = file_.write_rows(in_state(path), type, shape, local, data);
    record(path, type, shape, ranges, data);
  }
  void attribute(std::string_view path, std::string_view name, std::string_view text) override {
    file_.attribute(in_state(path), name, text);
  }
  void write_strings(std::string_view path, std::span<const std::string> values) override {
    const auto packed = file_.write_strings(in_state(path), values);
    const DatasetShape shape{ElementType::uint8, packed.rows, 1};
    record(path, {shape.type, packed.length}, shape, ranges_at_root(packed.rows),
           packed.bytes.data());
  }

  const DigestTable& table() const { return table_; }

 protected:
  void write_replicated(std::string_view path, const DatasetShape& shape,
                        const void* data) override {
    const StoredType type{shape.type, 0};
    file_.write_replicated(in_state(path), type, shape, data);
    record(path, type, shape, ranges_at_root(shape.rows), data);
  }

 private:
  static std::string in_state(std::string_view path) { return fmt::format("state/{}", path); }

  /// The row ranges of all ranks where rank 0 holds every row.
  std::vector<IndexRange> ranges_at_root(Index rows) const {
    std::vector<IndexRange> ranges(static_cast<std::size_t>(file_.communicator().size()),
                                   {rows, rows});
    ranges[0] = {0, rows};
    return ranges;
  }

  /// Adds the dataset and the digests of its blocks of rows to the table. `ranges`: the rows of
  /// each rank; `data`: those of this rank.
  void record(std::string_view path, const StoredType& type, const DatasetShape& shape,
              const std::vector<IndexRange>& ranges, const void* data) {
    const Communicator& communicator = file_.communicator();
    const std::size_t row_bytes = type.size() * static_cast<std::size_t>(shape.columns);
    const auto rows =
        static_cast<std::size_t>(ranges[static_cast<std::size_t>(communicator.rank())].size());
    const auto digests = digest_blocks(communicator, ranges, row_bytes,
                                       {static_cast<const char*>(data), rows * row_bytes});
    const Index per_block = rows_per_block(row_bytes);
    table_.datasets.push_back(normal_path(in_state(path)));
    table_.rows_per_block.push_back(per_block);
    table_.blocks.push_back(shape.rows / per_block + (shape.rows % per_block != 0));
    table_.digests.insert(table_.digests.end(), digests.begin(), digests.end());
  }

  Hdf5Writer& file_;
  DigestTable table_;  ///< digests on rank 0 only
};

void write_column(Hdf5Writer& file, const char* path, ElementType type, Index rows,
                  const void* data) {
  file.write_replicated(path, {type, 0}, {type, rows, 1}, data);
}

void write_layout(Hdf5Writer& file, const CheckpointIdentity& identity, Index units_done,
                  const DigestTable& table) {
  file.attribute("checkpoint", "format", checkpoint_format);
  file.attribute("checkpoint", "module", identity.module);
  file.attribute("checkpoint", "gsim_version", identity.gsim_version);
  file.attribute("checkpoint", "config_digest", identity.config_digest);
  write_column(file, "checkpoint/units_done", ElementType::int64, 1, &units_done);
  // A larger configuration is not stored.
  constexpr std::size_t max_text_bytes = std::size_t{1} << 18;
  if (!identity.config_text.empty() && identity.config_text.size() <= max_text_bytes)
    file.write_strings(configuration_path, std::span(&identity.config_text, 1));
  const auto n = static_cast<Index>(table.datasets.size());
  Index blocks = 0;
  for (const Index count : table.blocks) blocks += count;
  file.write_strings("checkpoint/datasets", table.datasets);
  write_column(file, "checkpoint/rows_per_block", ElementType::int64, n,
               table.rows_per_block.data());
  write_column(file, "checkpoint/blocks", ElementType::int64, n, table.blocks.data());
  write_column(file, "checkpoint/digests", ElementType::uint64, blocks, table.digests.data());
}

/// Reads the closed file back, compares it with the digests of the data in memory, and appends its
/// checksum trailer.
void verify_and_append_trailer(const Communicator& communicator, const std::string& path,
                               DigestTable table) {
  std::unique_ptr<Hdf5Reader> file;
  table.digests.resize(communicator.broadcast(table.digests.size()));
  communicator.backend().broadcast(std::as_writable_bytes(std::span<std::uint64_t>(table.digests)),
                                   0);
  communicator.agree([&] { file = std::make_unique<Hdf5Reader>(path); });
  if (const auto reason = verify_contents(communicator, *file, table)) {
    throw IoError(fmt::format(
        "checkpoint {} differs from the data that were written to it: it {}; the disk or "
        "the memory of this machine is faulty",
        path, *reason));
  }
  std::vector<Extent> contents;
  communicator.agree([&] {
    if (!communicator.is_root()) return;
    for (const auto& dataset : table.datasets) {
      const StoredShape shape = file->shape(dataset);
      const Index bytes = shape.rows * shape.columns * static_cast<Index>(shape.type.size());
      if (bytes > 0) contents.push_back({file->offset(dataset), bytes});
    }
  });
  file.reset();
  communicator.barrier();  // every rank has closed the file before rank 0 appends to it
  communicator.agree([&] {
    if (communicator.is_root()) append_checkpoint_trailer(path, contents);
  });
}

/// Keeps the two newest valid checkpoints and everything newer than the second of them; removes the
/// others and partial files of killed runs. Collective.
void remove_older(const Communicator& communicator, const std::string& base) {
  const auto paths = agree_on_checkpoints(communicator, base);
  std::size_t kept = std::min<std::size_t>(paths.size(), 2);
  if (paths.size() > 2) {
    int valid = 1;  // the newest has just been verified
    for (kept = 1; kept < paths.size() && valid < 2; ++kept) {
      if (verify_checkpoint(communicator, paths[kept]).damage.empty()) ++valid;
    }
  }
  if (!communicator.is_root()) return;
  // A file that cannot be removed only costs space: the new checkpoint is complete.
  std::error_code ignored;
  for (std::size_t i = kept; i < paths.size(); ++i) std::filesystem::remove(paths[i], ignored);
  discard_partial(base);
}

}  // namespace
}  // namespace io

std::string write_checkpoint(const Communicator& communicator, const std::string& base,
                             const CheckpointIdentity& identity, Index units_done,
                             const std::function<void(DatasetWriter&)>& save) {
  const auto earlier = io::agree_on_checkpoints(communicator, base);
  const Index number = earlier.empty() ? 1 : io::checkpoint_number(earlier.front()) + 1;
  std::string path = fmt::format("{}.ckpt.{}", base, number);
  {
    io::Hdf5Writer file(communicator, path + ".partial", path);
    io::CheckpointWriter writer(file);
    save(writer);
    io::write_layout(file, identity, units_done, writer.table());
    file.close(io::Hdf5Writer::Checksums::omit);
    io::verify_and_append_trailer(communicator, file.path(), writer.table());
    file.publish();
  }
  io::forget_absent_checkpoints();
  io::remove_older(communicator, base);
  return path;
}

}  // namespace gsim
