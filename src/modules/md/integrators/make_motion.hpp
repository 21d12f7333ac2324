#pragma once
// Makes the integrator or minimiser of a configuration.

#include <memory>

#include "src/modules/md/integrators/motion.hpp"
#include "src/modules/md/integrators/motion_config.hpp"

namespace gsim::md {

/// The motion that `config` describes, of the classes in `setup`. InputError for what cannot be.
std::unique_ptr<Motion> make_motion(const MotionConfig& config, const MotionSetup& setup);

}  // namespace gsim::md
