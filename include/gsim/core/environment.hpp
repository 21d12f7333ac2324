#pragma once
// Numbers in environment variables.

namespace gsim {

/// The positive integer in the environment variable `name`; 0 if unset or empty; InputError for
/// anything else.
int positive_environment_number(const char* name);

}  // namespace gsim
