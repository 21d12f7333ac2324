#include "src/modules/md/integrators/make_motion.hpp"

#include "src/modules/md/integrators/dynamics.hpp"
#include "src/modules/md/minimizers/fire.hpp"

namespace gsim::md {

std::unique_ptr<Motion> make_motion(const MotionConfig& config, const MotionSetup& setup) {
  if (config.kind == MotionKind::minimise) return std::make_unique<Fire>(config, setup);
  return std::make_unique<Dynamics>(config, setup);
}

}  // namespace gsim::md
