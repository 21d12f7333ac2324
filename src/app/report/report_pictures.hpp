#pragma once
// Pictures for the page of `gsim report`: those beside results, and those drawn from results.

#include <string>

#include "gsim/core/json.hpp"
#include "src/app/app.hpp"

namespace gsim::app {

/// What the page shows of a run besides its tables.
struct ReportPictures {
  Json pictures = Json::array();  ///< objects with name, text (alternative text) and data (URL)
  Json frames = Json::array();    ///< objects of last_frame()
  Json problems = Json::array();  ///< sentences about what could not be drawn
};

/// Draws the pictures of a run of `module` whose results are `file`, NAME.h5: what the module draws
/// of the configuration in the results (the geometry and tallies of transport), or else the fields
/// of the files NAME.vtkhdf and NAME.*.vtkhdf beside it (films where they have several steps); the
/// last frames of NAME.h5md and NAME.*.h5md; then adds the pictures NAME.*.png and NAME.*.apng that
/// are beside it, without the numbered pictures of a film. Files of other results NAME.*.h5
/// (stages, earlier runs) are not shown. Pictures above 8 MiB are left out with a sentence.
ReportPictures report_pictures(const Session& session, const std::string& file,
                               const std::string& module);

}  // namespace gsim::app
