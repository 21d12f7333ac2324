#include "gsim/engine/conformance.hpp"

namespace gsim {

Trial ConformanceSubject::trial(const std::vector<std::string>& settings) const {
  return {.make = [this] { return registry.find(part.module).factory(registry); },
          .config = config,
          .config_name = config_name,
          .set = settings};
}

}  // namespace gsim
