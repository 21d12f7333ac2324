#include "gsim/modules/builtin.hpp"

#include "gsim/modules/pricing.hpp"

namespace gsim {

void register_builtin_modules(Registry& registry) {
  registry.add({"pricing", "option portfolios by Monte Carlo", make_pricing_module});
}

}  // namespace gsim
