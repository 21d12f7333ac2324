#include "src/modules/md/bonded/bonded_parameters.hpp"

#include <cmath>
#include <string>

#include "gsim/core/error.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"

namespace gsim::md {

DihedralSeries opls_dihedral(const std::array<double, 4>& k) {
  DihedralSeries series;
  for (int m = 1; m <= 4; ++m)
    add_periodic_term(series, 0.5 * k[static_cast<std::size_t>(m - 1)], m, m % 2 == 0 ? 180 : 0);
  return series;
}

void add_periodic_term(DihedralSeries& to, double k, Index n, double phase) {
  GSIM_VALIDATE(n >= 0 && n <= max_dihedral_order,
                "a dihedral's multiplicity is " + std::to_string(n),
                "give a whole number from 0 to " + std::to_string(max_dihedral_order));
  const auto m = static_cast<std::size_t>(n);
  if (to.cosine.size() <= m) to.cosine.resize(m + 1);
  to.sine.resize(to.cosine.size());
  const auto d = sincospi<Strict>(phase / 180);  // exact for quarter turns
  to.cosine[0] += k;
  to.cosine[m] += k * d.cos;
  if (m > 0) to.sine[m] += k * d.sin;
}

}  // namespace gsim::md
