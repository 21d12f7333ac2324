#pragma once
// Progress as a line of text, for terminals of any width.

#include <string>

#include "reporter.hpp"

namespace gsim::engine {

/// "56 %  1.12e8 path-steps/s  712 of 1000 converged, worst T00313 4.1 %  0:03 left"; unknown
/// items are left out.
std::string progress_facts(const Progress& progress, const std::string& item_name);

/// The same behind a bar, in less than `width` columns, so that the line does not wrap when the
/// terminal shows "^C" at its end: the bar shrinks, then rate, worst error, converged estimates and
/// time left are dropped in turn. With `colour`, escape sequences distinguish the finished part of
/// the bar; without it, the strokes of the line do.
std::string progress_bar(const Progress& progress, const std::string& item_name, int width,
                         bool colour);

}  // namespace gsim::engine
