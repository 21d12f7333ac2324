#include "make_motion.hpp"

#include "dynamics.hpp"

namespace gsim::md {

std::unique_ptr<Motion> make_motion(const MotionConfig& config, const MotionSetup& setup) {
  return std::make_unique<Dynamics>(config, setup);
}

}  // namespace gsim::md
