#pragma once
// Checkpoints: datasets indexed globally, not per rank, so that any number of ranks can resume from
// them. They are written collectively as `.partial`, flushed, reopened, verified by digest, and
// renamed; the last two are kept. Names: BASE.ckpt.1, BASE.ckpt.2, … (the newest has the highest
// number).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// Identifies the run that wrote a checkpoint; all but config_text must match for a resume.
struct CheckpointIdentity {
  std::string module;        ///< "pricing"
  std::string gsim_version;  ///< results are bitwise reproducible within one version
  /// Digest of the keys that a resumed run must not change (identity_text(), engine/driver.hpp).
  std::string config_digest;
  /// The keys of config_digest as TOML, for messages about differing keys; not compared.
  std::string config_text = {};
};

/// Writes the next checkpoint of `base` collectively; `save` writes its contents. Returns its path.
/// The two newest verified checkpoints are kept and older ones removed. On failure the partial file
/// is removed and IoError is thrown; earlier checkpoints remain.
std::string write_checkpoint(const Communicator& communicator, const std::string& base,
                             const CheckpointIdentity& identity, Index units_done,
                             const std::function<void(DatasetWriter&)>& save);

/// A verified checkpoint, open for reading.
struct OpenCheckpoint {
  std::string path;
  Index units_done = 0;
  std::unique_ptr<DatasetReader> reader;
  /// Newer checkpoints that were skipped, each with its reason: "run.ckpt.2 does not match
  /// its digest (dataset state/position, rows 1048576–2097151)".
  std::vector<std::string> refused;
};

/// Opens the newest valid checkpoint of `base`. A damaged one is listed in `refused` and the
/// previous one is used. Throws InputError if there is none, or if a checkpoint belongs to another
/// module, version or configuration (such a checkpoint is an error and not skipped). Collective.
OpenCheckpoint open_checkpoint(const Communicator& communicator, const std::string& base,
                               const CheckpointIdentity& identity);

/// Metadata of a checkpoint, for hints in messages. The contents are not verified.
struct CheckpointSummary {
  std::string config_digest;
  Index units_done = 0;
  bool is_final = false;  ///< whether the run had finished
};
/// Reads the metadata; empty if the file is damaged or cannot be read. Not collective.
std::optional<CheckpointSummary> read_checkpoint_summary(const std::string& path);

/// Path of a dataset with one integer, which is nonzero in the checkpoint of a finished run.
inline constexpr const char* is_final_path = "engine/is_of_end";

/// Paths of the checkpoints of `base`, newest first.
std::vector<std::string> list_checkpoints(const std::string& base);

}  // namespace gsim
