// U = k1/2 (1 + cos phi) + k2/2 (1 - cos 2 phi) + k3/2 (1 + cos 3 phi) + k4/2 (1 - cos 4 phi) (W.
// L. Jorgensen, D. S. Maxwell and J. Tirado-Rives, J. Am. Chem. Soc. 118 (1996) 11225, Eq. 5, with
// their phase angles zero).

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/bonded/bonded_parameters.hpp"

namespace gsim::md {
namespace {

MakeDihedral describe_opls(Section& s) {
  std::vector<double> k;
  s.required("k", k,
             {.doc = "U = k1/2 (1 + cos phi) + k2/2 (1 - cos 2 phi) + k3/2 (1 + cos 3 phi) + k4/2 "
                     "(1 - cos 4 phi)",
              .unit = "energy",
              .min_size = 4,
              .max_size = 4});
  return [k](const Section&) { return opls_dihedral({k[0], k[1], k[2], k[3]}); };
}

}  // namespace

void register_opls(Registry& registry) {
  registry.extend(DihedralKind{"opls", "Jorgensen et al. 1996", describe_opls});
}

}  // namespace gsim::md
