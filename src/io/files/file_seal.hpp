#pragma once
// The seal at the end of every HDF5 file that gsim writes, after HDF5's own bytes: digests that
// prove that the file is whole and as it was written. The structure (all that is not the contents
// of large datasets) has a digest of its own, which is cheap to check before HDF5 parses the file:
// HDF5 is not safe against damaged structures. Programs that read HDF5 pass over the seal.
//
// A checkpoint keeps the digests of its contents inside (checkpoint_layout.hpp), so that damaged
// rows can be named; its seal covers the structure alone.

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

enum class SealKind { checkpoint, file };

/// Appends a checkpoint's seal to `path`, in which `contents` are digested elsewhere, and flushes
/// it to disk. Not collective. IoError when that fails.
void seal_checkpoint(const std::string& path, std::vector<Extent> contents);

/// Appends the seal of any other file to the closed HDF5 file `path` and flushes it to disk; the
/// ranks share the reading. Collective. IoError when that fails.
void seal_file(const Communicator& communicator, const std::string& path);

/// What a file's seal says.
struct SealVerdict {
  std::optional<SealKind> kind;  ///< none: the file ends with no seal that can be recognised
  std::string damage;            ///< a clause after the file's name: "is truncated", or empty

  bool is_good() const { return kind.has_value() && damage.empty(); }
};

/// Checks the structure alone: enough for HDF5 to open the file. Not collective, never throws for
/// what is wrong with the file. A regular file is expected (file_size()).
SealVerdict check_structure(const std::string& path);

/// Checks the contents, too (not those of a checkpoint); the ranks share the reading, and all get
/// the verdict. Collective.
SealVerdict check_seal(const Communicator& communicator, const std::string& path);

/// What is wrong with a file that must bear a checkpoint's seal, or nothing.
std::optional<std::string> damage_of_checkpoint(const std::string& path);

}  // namespace gsim::io
