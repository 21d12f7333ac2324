#pragma once
// Faults of a kernel or a copy.

#include <stdexcept>
#include <string>

namespace ptxemu {

/// An error of a kernel or copy during execution. The device is unusable afterwards, like a real
/// one: every later call returns the same code.
class Fault : public std::runtime_error {
 public:
  enum class Kind {
    illegal_address,      ///< outside of every allocation, or freed
    misaligned_address,   ///< not a multiple of the size of the access
    uninitialised_read,   ///< uninitialised bytes; detected only if the check is enabled
    divergent_barrier,    ///< a barrier that not all threads of a warp execute together
    race,                 ///< a data race; detected only if the check is enabled
    deadlock,             ///< threads that wait for an event that cannot occur
    trap,                 ///< the instruction trap
    assertion,            ///< a failed assertion
    illegal_instruction,  ///< an instruction whose operands PTX does not allow
  };
  Fault(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace ptxemu
