#include "gsim/modules/builtin.hpp"

#include "gsim/md/module.hpp"
#include "gsim/pricing/module.hpp"
#include "gsim/transport/module.hpp"

namespace gsim {

void register_builtin_modules(Registry& registry) {
  register_pricing_module(registry);
  register_risk_module(registry);
  register_exposure_module(registry);
  register_md_module(registry);
  register_transport_module(registry);
}

}  // namespace gsim
