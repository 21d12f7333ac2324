#pragma once
// Tables of all elements in one file (setfl), for the kinds eam.alloy and eam.fs.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/many_body/eam_kind.hpp"
#include "src/modules/md/files/eam_file.hpp"

namespace gsim::md {

/// Reads the file `name`, which the configuration gives in `key`.
EamFile read_eam_of(const Section& s, const char* key, EamFormat format, const std::string& name);

/// Describes the keys `file` and `elements`.
MakeEam describe_setfl(Section& s, EamFormat format);

}  // namespace gsim::md
