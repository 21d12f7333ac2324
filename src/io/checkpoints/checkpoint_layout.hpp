#pragma once
// What a checkpoint file holds beside the state: who wrote it, how far the run was, and the digests
// of the state's datasets.
//
//   /state/...                    what the module and the engine saved
//   /checkpoint                   attributes format, module, gsim_version, config_digest
//   /checkpoint/units_done        one int64
//   /checkpoint/configuration     what the digest is of, as TOML; not where it is long
//   /checkpoint/datasets          paths of the datasets under /state
//   /checkpoint/rows_per_block    of each of them
//   /checkpoint/blocks            number of blocks of each
//   /checkpoint/digests           XXH3 of all blocks, dataset by dataset
//   after the end of HDF5's bytes: the seal (file_seal.hpp)

#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"

namespace gsim::io {

inline constexpr const char* checkpoint_format = "gsim checkpoint 2";
inline constexpr const char* configuration_path = "checkpoint/configuration";

/// Dotted keys that two resolved configurations (TOML) have with different values, or of which one
/// alone has them, with both values: "md.time_step (0.004, now 0.002)".
std::vector<std::string> differing_keys(const std::string& before, const std::string& now);

/// Digests of the state's datasets, in the order of their writing.
struct DigestTable {
  std::vector<std::string> datasets;
  std::vector<Index> rows_per_block;
  std::vector<Index> blocks;
  std::vector<std::uint64_t> digests;
};

/// Checks the contents of the state's datasets, each rank a part of the blocks. What is wrong, the
/// same on every rank, or nothing. `table` is what the file says of itself. Collective.
std::optional<std::string> verify_contents(const Communicator& communicator, const Hdf5Reader& file,
                                           const DigestTable& table);

/// Reads the table off a file whose seal is whole.
DigestTable read_digest_table(const Hdf5Reader& file);

/// A checkpoint that passed all its checks, or why it did not.
struct VerifiedCheckpoint {
  std::unique_ptr<Hdf5Reader> file;
  std::string damage;  ///< "PATH is truncated …", empty when the file is good
};
/// Checks seal and contents. Collective.
VerifiedCheckpoint verify_checkpoint(const Communicator& communicator, const std::string& path);

/// Paths BASE.ckpt.N`suffix`, newest first.
std::vector<std::string> list_numbered(const std::string& base, std::string_view suffix);
/// Removes what killed runs left half-written.
void discard_partial(const std::string& base) noexcept;

/// The number N of BASE.ckpt.N.
Index checkpoint_number(const std::string& path);

/// list_checkpoints() by rank 0, told to all. Collective.
std::vector<std::string> agree_on_checkpoints(const Communicator& communicator,
                                              const std::string& base);

}  // namespace gsim::io
