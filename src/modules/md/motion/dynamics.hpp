#pragma once
// Velocity Verlet.

#include "gsim/exec/array.hpp"
#include "src/modules/md/motion/motion.hpp"
#include "src/modules/md/motion/motion_config.hpp"

namespace gsim::md {

class Dynamics final : public Motion {
 public:
  Dynamics(const MotionConfig& config, const MotionSetup& setup);

  double degrees_of_freedom() const override;
  void move(const MotionContext& context) override;
  void finish(const MotionContext& context) override;
  std::string health() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;

 private:
  MotionSetup setup_;
  Array<double> kick_;  // by class
  Array<Faults> faults_;
  bool is_kick_due_ = false;
};

}  // namespace gsim::md
