#pragma once
// Functions that read the tables with a given kind from the example configuration of that kind. The
// conformance checks vary the parameters in these tables.

#include <functional>
#include <string_view>

#include "gsim/config/section.hpp"

namespace gsim::md {

/// Calls `read` with [TABLE] and each [[TABLE.KEY]] of `example` whose key `kind` has the value
/// `kind`. Does nothing if the example cannot be read; a run of the example reports the
/// error.
void read_tables_of_kind(std::string_view example, std::string_view table, std::string_view key,
                         std::string_view kind,
                         const std::function<void(Section& outer, Section& entry)>& read);

/// The same for examples in which [TABLE] itself has the key `kind`.
void read_tables_of_kind(std::string_view example, std::string_view table, std::string_view kind,
                         const Section::Describe& read);

}  // namespace gsim::md
