// Checks that functors agree with the records that register them. The checks are called from code
// that is compiled for every target, and are compiled only once here.

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
                "set .reads_logs = true in its PayoffKind");
}

void check_path_model(const char* name, Index normals, Index registered, bool can_draw_extremes) {
  GSIM_VALIDATE(
      normals == registered,
      fmt::format(
          "the functor of path model `{}` uses {} normals per step, and it is registered with {}",
          name, normals, registered),
      "set both to the same value");
  GSIM_VALIDATE(
      can_draw_extremes,
      fmt::format("path model `{}` is registered as bridged, and its functor is not", name),
      "set both to the same value");
}

}  // namespace gsim::pricing
