#pragma once
// `gsim report`: results as one HTML page that needs no other file and no network.

#include <string>
#include <vector>

#include "src/app/app.hpp"

namespace gsim::app {

/// The page for the result files `files`: their contents as `gsim inspect --json` prints them, the
/// pictures of report_pictures() if `has_pictures` is set, and the program that draws tables and
/// charts. InputError as inspect_file(), and for a file that is not a result of gsim.
std::string report_page(const Session& session, const std::vector<std::string>& files,
                        const std::string& title, bool has_pictures);

/// RFC 4648, section 4.
std::string base64(const std::string& bytes);

}  // namespace gsim::app
