#pragma once
// The command line of `gsim batch`.

#include <string>

#include "app.hpp"
#include "usage.hpp"

namespace gsim::app {

/// Adds `gsim batch` with its actions. `resume` and `log` receive the values of --resume and --log.
void add_batch(CLI::App& top, Arguments& a, std::string& resume, std::string& log);

}  // namespace gsim::app
