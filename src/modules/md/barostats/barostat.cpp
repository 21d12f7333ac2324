#include "src/modules/md/barostats/barostat.hpp"

#include <fmt/format.h>

#include "src/modules/md/barostats/cell_rescaling.hpp"
#include "src/modules/md/barostats/mtk.hpp"

namespace gsim::md {

std::unique_ptr<Barostat> make_barostat(const BarostatConfig& config, double compressibility,
                                        double freedom, double time_step, std::uint64_t seed) {
  if (config.kind == BarostatKind::mtk)
    return std::make_unique<MtkBarostat>(config, freedom, time_step);
  return std::make_unique<CellRescaling>(config, compressibility, time_step, seed);
}

void refuse_box(const BarostatConfig& config, const Box& box) {
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) != Boundary::periodic)
      throw ConfigError(
          config.where,
          fmt::format("a barostat presses on all sides, but the box is open along {}", "xyz"[a]),
          "make the box periodic, or leave the barostat out");
  if (config.coupling != Coupling::isotropic && box.is_triclinic())
    throw ConfigError(config.coupling_at,
                      "the box is triclinic, and its lengths cannot change each by itself",
                      "say coupling = \"isotropic\", or use a box without tilts");
}

}  // namespace gsim::md
