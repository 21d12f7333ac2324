#include "gsim/modules/builtin.hpp"

#include "gsim/modules/md.hpp"
#include "gsim/modules/pricing.hpp"

namespace gsim {

void register_builtin_modules(Registry& registry) {
  registry.add({"pricing", "option portfolios by Monte Carlo", make_pricing_module});
  registry.add({"md", "molecular dynamics of atoms in a box", make_md_module});
}

}  // namespace gsim
