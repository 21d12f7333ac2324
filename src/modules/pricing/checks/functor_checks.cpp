// What the functors of plugins say of themselves, against what they are registered with. Called
// from code that is compiled per target, and so compiled once, here.

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/pricing/path_model.hpp"
#include "gsim/pricing/payoff_job.hpp"

namespace gsim::pricing {

void check_payoff(const char* name, bool reads_logs, bool has_logs) {
  GSIM_VALIDATE(has_logs || !reads_logs,
                fmt::format("the functor of payoff `{}` reads logarithms, and it is not registered "
                            "as one that does",
                            name),
                "say .reads_logs = true in its PayoffKind");
}

void check_path_model(const char* name, Index normals, Index registered, bool has_extremes) {
  GSIM_VALIDATE(normals == registered,
                fmt::format("the functor of path model `{}` takes {} normals a step, and it is "
                            "registered with {}",
                            name, normals, registered),
                "say the same in both");
  GSIM_VALIDATE(
      has_extremes,
      fmt::format("path model `{}` is registered as bridged, and its functor is not", name),
      "say the same in both");
}

}  // namespace gsim::pricing
