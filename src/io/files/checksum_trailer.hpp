#pragma once
// A trailer with checksums that gsim appends to every HDF5 file after HDF5's data. It
// proves that the file is complete and unchanged. The structure (everything except the contents of
// large datasets) has a digest of its own, which is cheap to verify before HDF5 parses the file:
// HDF5 is not robust against damaged structures. Programs that read HDF5 ignore the trailer.
//
// A checkpoint stores the digests of its contents in datasets (checkpoint_layout.hpp), so that
// damaged rows can be located; its trailer covers the structure alone.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"

namespace gsim::io {

/// Bytes [offset, offset + length) of a file.
struct Extent {
  Index offset = 0;
  Index length = 0;
};

enum class TrailerKind { checkpoint, file };

/// Appends the trailer of a checkpoint to `path` and flushes it to disk. The extents `contents` are
/// not covered, since they have digests elsewhere. Not collective. IoError on failure.
void append_checkpoint_trailer(const std::string& path, std::vector<Extent> contents);

/// Datasets of fewer bytes are part of the structure: their extents would need more space than they
/// save.
inline constexpr Index least_extent = Index{1} << 16;

/// Appends the trailer of any other file to the closed HDF5 file `path` and flushes it to disk; the
/// ranks share the work. `has_large_datasets`: whether a dataset may have least_extent bytes or
/// more. Collective. IoError on failure.
void append_file_trailer(const Communicator& communicator, const std::string& path,
                         bool has_large_datasets);

/// Result of the verification of checksums.
struct ChecksumResult {
  std::optional<TrailerKind> kind;  ///< empty: the file has no recognisable trailer
  std::string damage;               ///< a clause after the file's name: "is truncated", or empty

  bool is_good() const { return kind.has_value() && damage.empty(); }
};

/// Verifies the structure, which is sufficient for HDF5 to open the file safely. Not collective;
/// never throws for a damaged file. `path` must be a regular file (file_size()).
ChecksumResult check_structure(const std::string& path);

/// Verifies structure and contents (not those of a checkpoint); the ranks share the work, and all
/// get the result. Collective.
ChecksumResult verify_checksums(const Communicator& communicator, const std::string& path);

/// Describes the damage of a file that must have a checkpoint's trailer, or nothing.
std::optional<std::string> damage_of_checkpoint(const std::string& path);

}  // namespace gsim::io
