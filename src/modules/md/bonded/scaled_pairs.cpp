#include "src/modules/md/bonded/scaled_pairs.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {

ScaledPairParameters scaled_pairs(const PairTable& table, double coulomb) {
  ScaledPairParameters result;
  result.types = table.types();
  result.coulomb = coulomb;
  for (int a = 0; a < table.types(); ++a)
    for (int b = 0; b < table.types(); ++b) {
      const auto& acting = table.between(a, b);
      const bool is_plain =
          acting.empty() || (acting.size() == 1 && acting[0].kind->name == "lennard_jones");
      if (!is_plain)
        throw InputError(
            fmt::format("[bonded] scale_14 is given for 1-4 pairs of types `{}` and `{}`, but only "
                        "a single Lennard-Jones potential can be scaled, and others act between "
                        "these types; leave out [bonded] scale_14, or exclude \"1-4\"",
                        table.names()[static_cast<std::size_t>(a)],
                        table.names()[static_cast<std::size_t>(b)]));
      result.epsilon.push_back(acting.empty() ? 0.0 : acting[0].parameters[0]);
      result.sigma.push_back(acting.empty() ? 1.0 : acting[0].parameters[1]);
    }
  return result;
}

}  // namespace gsim::md
