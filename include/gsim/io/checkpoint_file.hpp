#pragma once
// Checkpoints: datasets indexed globally, none per rank, so that any number of ranks can go on from
// them. Written collectively as `.partial`, flushed, reopened and verified by digest, renamed; the
// last two are kept. Names: BASE.ckpt.1, BASE.ckpt.2, … (rising; the newest has the highest
// number).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// What a checkpoint says about the run that wrote it; all must match for a resume.
struct CheckpointIdentity {
  std::string module;        ///< "pricing"
  std::string gsim_version;  ///< the same-bits promise holds within one version
  std::string
      config_digest;  ///< of the resolved configuration, stop rule and output paths left out
  /// That configuration, as TOML, for messages: which keys differ. Not compared itself.
  std::string config_text = {};
};

/// Writes the next checkpoint of `base` collectively: `save` fills it. Returns its path. The two
/// newest verified ones are kept, older ones removed. On failure the partial file is removed and
/// IoError thrown; earlier checkpoints stay.
std::string write_checkpoint(const Communicator& communicator, const std::string& base,
                             const CheckpointIdentity& identity, Index units_done,
                             const std::function<void(DatasetWriter&)>& save);

/// A checkpoint that was verified and can be read.
struct OpenCheckpoint {
  std::string path;
  Index units_done = 0;
  std::unique_ptr<DatasetReader> reader;
  /// Newer ones that were passed over, each with its reason: "run.ckpt.2 fails its digest (dataset
  /// state/position, rows 1048576–2097151)".
  std::vector<std::string> refused;
};

/// Opens the newest valid checkpoint of `base`. A damaged one is named in `refused` and the one
/// before it used. Throws InputError when there is none, and when a checkpoint is of another
/// module, version or configuration (a foreign one is refused by name, not passed over).
/// Collective.
OpenCheckpoint open_checkpoint(const Communicator& communicator, const std::string& base,
                               const CheckpointIdentity& identity);

/// What a checkpoint says of itself, for hints: nothing of its contents is verified.
struct CheckpointSummary {
  std::string config_digest;
  Index units_done = 0;
  bool is_final = false;  ///< whether the run had come to its end
};
/// Nothing where the file is damaged or cannot be read. Not collective.
std::optional<CheckpointSummary> read_checkpoint_summary(const std::string& path);

/// Path of the dataset, one integer, that is not 0 in checkpoints of runs that came to their end.
inline constexpr const char* is_final_path = "engine/is_of_end";

/// Paths of the checkpoints of `base`, newest first.
std::vector<std::string> list_checkpoints(const std::string& base);

}  // namespace gsim
