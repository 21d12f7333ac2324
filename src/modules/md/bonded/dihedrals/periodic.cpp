// U = sum of k (1 + cos(n phi - phase)).

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/md/bonded/dihedral_kind.hpp"

namespace gsim::md {
namespace {

MakeDihedral describe_periodic(Section& s) {
  std::vector<double> k, phase;
  std::vector<Index> n;
  s.required("k", k,
             {.doc = "coefficient of each term k (1 + cos(n phi - phase))", .unit = "energy"});
  s.required("n", n,
             {.doc = "multiplicity of each term", .minimum = 0, .maximum = max_dihedral_order});
  s.required("phase", phase, {.doc = "phase of each term", .unit = "degrees"});
  return [k, phase, n](const Section& values) {
    if (n.size() != k.size()) values.fail("n", fmt::format("{} n for {} k", n.size(), k.size()));
    if (phase.size() != k.size())
      values.fail("phase", fmt::format("{} phases for {} k", phase.size(), k.size()));
    DihedralSeries series;
    for (std::size_t t = 0; t < k.size(); ++t) add_periodic_term(series, k[t], n[t], phase[t]);
    return series;
  };
}

}  // namespace

void register_periodic(Registry& registry) {
  registry.extend(DihedralKind{"periodic", "a sum of cosines", describe_periodic});
}

}  // namespace gsim::md
