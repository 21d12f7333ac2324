#pragma once
// /provenance: where a result came from, in enough detail to make it again.

#include <string>

#include "gsim/engine/driver.hpp"
#include "rank_times.hpp"

namespace gsim::engine {

/// The engine's part of the story; the request brings the application's.
struct RunHistory {
  std::string started;       ///< of this process, UTC
  double seconds = 0;        ///< all parts of a resumed run
  Index parts = 1;           ///< 1: never interrupted
  std::string resumed_from;  ///< checkpoint, empty when not resumed
  /// Why a run from the start would give other digits; empty where it would not.
  std::string not_repeatable;
  RankTimes loop;     ///< of this process; without ranks where a fault ended it
  std::string fault;  ///< what ended the run before its time; empty: nothing
};

/// Writes attributes of the group "provenance", and the texts of the input files as
/// provenance/input_files/1, 2, …, each with its name and digest. Collective.
void write_provenance(DatasetWriter& writer, const Context& context, const RunRequest& request,
                      const RunOutcome& outcome, const RunHistory& history);

}  // namespace gsim::engine
