#pragma once
// The group /provenance: the origin of a result, in enough detail to reproduce it.

#include <string>

#include "gsim/engine/driver.hpp"
#include "rank_times.hpp"

namespace gsim::engine {

/// The data of the engine; the request contains those of the application.
struct RunHistory {
  std::string started;       ///< of this process, UTC
  double seconds = 0;        ///< all parts of a resumed run
  Index parts = 1;           ///< 1: never interrupted
  std::string resumed_from;  ///< checkpoint, empty when not resumed
  /// The reason why a run from the start would give other results; empty if it would give the same.
  std::string reason_not_reproducible;
  RankTimes loop;     ///< of all ranks in this process's loop; without ranks after a fault
  std::string fault;  ///< what ended the run before its time; empty: nothing
};

/// Writes attributes of the group "provenance", and the texts of the input files as
/// provenance/input_files/1, 2, …, each with its name and digest. Collective.
void write_provenance(DatasetWriter& writer, const Context& context, const RunRequest& request,
                      const RunOutcome& outcome, const RunHistory& history);

}  // namespace gsim::engine
