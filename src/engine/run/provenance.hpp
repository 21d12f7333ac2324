#pragma once
// The group /provenance: the origin of a result, in enough detail to reproduce it.

#include <string>

#include "gsim/engine/driver.hpp"
#include "rank_times.hpp"

namespace gsim::engine {

/// The data of the engine; the request contains those of the application.
struct RunHistory {
  std::string started;       ///< UTC time at which this part of the run began
  double seconds = 0;        ///< duration, including the earlier parts of a resumed run
  Index parts = 1;           ///< 1 + number of times that the run was resumed
  std::string resumed_from;  ///< path of the checkpoint; empty when not resumed
  /// The reason why a run from the start would give other results; empty if it would give the same.
  std::string reason_not_reproducible;
  RankTimes loop;     ///< times of all ranks in the loop of this part; unset after a fault
  std::string fault;  ///< fault that ended the run; empty if there was none
};

/// Writes attributes of the group "provenance", and the texts of the input files as
/// provenance/input_files/1, 2, …, each with its name and digest. Collective.
void write_provenance(DatasetWriter& writer, const Context& context, const RunRequest& request,
                      const RunOutcome& outcome, const RunHistory& history);

}  // namespace gsim::engine
