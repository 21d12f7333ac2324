#pragma once
// Layout of a checkpoint file: besides the state it holds its origin, the progress of the run, and
// digests of the state's datasets.
//
//   /state/...                    state of the module and the engine
//   /checkpoint                   attributes format, module, gsim_version, config_digest
//   /checkpoint/units_done        one int64
//   /checkpoint/configuration     the configuration with that digest, as TOML; omitted if long
//   /checkpoint/datasets          paths of the datasets under /state
//   /checkpoint/rows_per_block    rows in a block of each of these datasets
//   /checkpoint/blocks            number of blocks of each of these datasets
//   /checkpoint/digests           XXH3 of all blocks, dataset by dataset
//   after the end of HDF5's data: checksums (checksum_trailer.hpp)

#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"

namespace gsim::io {

inline constexpr const char* checkpoint_format = "gsim checkpoint 2";
inline constexpr const char* configuration_path = "checkpoint/configuration";

/// Dotted keys whose values differ between two resolved configurations (TOML), or which only one of
/// them has, with both values: "md.time_step (0.004, now 0.002)".
std::vector<std::string> differing_keys(const std::string& before, const std::string& now);

/// Digests of the state's datasets, in the order of writing.
struct DigestTable {
  std::vector<std::string> datasets;
  std::vector<Index> rows_per_block;
  std::vector<Index> blocks;
  std::vector<std::uint64_t> digests;
};

/// Verifies the contents of the state's datasets; each rank checks a part of the blocks. Returns a
/// description of the damage, the same on every rank, or nothing. `table` holds the digests stored
/// in the file. Collective.
std::optional<std::string> verify_contents(const Communicator& communicator, const Hdf5Reader& file,
                                           const DigestTable& table);

/// Reads the table of a file whose checksums are valid.
DigestTable read_digest_table(const Hdf5Reader& file);

/// A verified checkpoint, or the reason why verification failed.
struct VerifiedCheckpoint {
  std::unique_ptr<Hdf5Reader> file;
  std::string damage;  ///< "PATH is truncated …"; empty if the file is valid
};
/// Verifies checksums of structure and contents. Collective.
VerifiedCheckpoint verify_checkpoint(const Communicator& communicator, const std::string& path);

/// Paths BASE.ckpt.N`suffix`, newest first.
std::vector<std::string> list_numbered(const std::string& base, std::string_view suffix);
/// Removes partial files of killed runs.
void discard_partial(const std::string& base) noexcept;

/// The number N of BASE.ckpt.N.
Index checkpoint_number(const std::string& path);

/// Ends what assume_no_checkpoints() began.
void forget_absent_checkpoints();

/// list_checkpoints() of rank 0, broadcast to all ranks. Collective.
std::vector<std::string> agree_on_checkpoints(const Communicator& communicator,
                                              const std::string& base);

}  // namespace gsim::io
