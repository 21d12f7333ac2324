#pragma once
// Whole runs of the module md.

#include "src/modules/md/md_module.hpp"
#include "support/module_runs.hpp"

namespace gsim::md {

struct Outcome : test::Outcome {
  /// A column of real numbers of the thermo table.
  std::vector<double> thermo(const std::string& name) const { return numbers("thermo/" + name); }
};

/// Runs the module md; see test::run().
template <class... Arguments>
Outcome run(const std::string& text, const Arguments&... arguments) {
  return {test::run<MdModule>(text, arguments...)};
}
inline void check_outcome_is_reproduced(const std::string& text, const Outcome& uninterrupted,
                                        int ranks, Index last, Index slice, Index restart_step) {
  test::check_outcome_is_reproduced<MdModule>(text, uninterrupted, ranks, last, slice,
                                              restart_step);
}

}  // namespace gsim::md
