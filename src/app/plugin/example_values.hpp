#pragma once
// What the example of a plugin's kind chooses for it: the scales that its functions are tried at.

#include <functional>
#include <string_view>

#include "gsim/config/section.hpp"

namespace gsim::app {

/// Calls `read` with each [[TABLE.KEY]] of `example` whose kind is `kind`, and with [TABLE]; with
/// none where the example cannot be read, which a run of it will tell.
void read_chosen(std::string_view example, std::string_view table, std::string_view key,
                 std::string_view kind,
                 const std::function<void(Section& outer, Section& entry)>& read);

/// The same where [TABLE] itself has the kind.
void read_chosen(std::string_view example, std::string_view table, std::string_view kind,
                 const Section::Describe& read);

}  // namespace gsim::app
