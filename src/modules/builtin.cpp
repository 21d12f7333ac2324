#include "gsim/modules/builtin.hpp"

#include "gsim/modules/md.hpp"
#include "gsim/modules/pricing.hpp"
#include "gsim/modules/transport.hpp"

namespace gsim {

void register_builtin_modules(Registry& registry) {
  registry.add({"pricing", "option portfolios by Monte Carlo", make_pricing_module});
  registry.add({"md", "molecular dynamics of atoms in a box", make_md_module});
  registry.add({"transport", "neutral particles through matter", make_transport_module});
}

}  // namespace gsim
