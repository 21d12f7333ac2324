#pragma once
// Tallies from TOML text, and functions of the kernels that score.

#include <string>
#include <vector>

#include "src/modules/transport/tallies/tally_set.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

namespace gsim::transport {

/// Two groups, a fissile and a scattering material in two concentric spheres.
inline const std::string tally_system =
    "[groups]\nbounds = [2e7, 0.625, 1e-5]\n"
    "[[material]]\nname = \"fuel\"\nfission = [0.01, 0.1]\ncapture = [0.02, 0.05]\n"
    "nu = [2.5, 2.4]\nchi = [1.0, 0.0]\nkappa_fission = [2e6, 2e7]\nspeed = [1e9, 2e5]\n"
    "scatter = [[0.2, 0.05], [0.0, 0.3]]\n"
    "[[material]]\nname = \"water\"\ncapture = [0.001, 0.02]\nspeed = [1e9, 2e5]\n"
    "scatter = [[0.3, 0.2], [0.0, 1.0]]\n"
    "[[surface]]\nname = \"inner\"\nkind = \"sphere\"\nradius = 2.0\n"
    "[[surface]]\nname = \"outer\"\nkind = \"sphere\"\nradius = 10.0\nboundary = \"vacuum\"\n"
    "[[cell]]\nname = \"core\"\nregion = \"-inner\"\nfill = \"fuel\"\n"
    "[[cell]]\nname = \"pool\"\nregion = \"+inner -outer\"\nfill = \"water\"\n";

/// The materials, geometry and plan of tallies of a configuration.
struct TallySystem {
  MaterialSet materials;
  Geometry geometry;
  TallyPlan plan;

  explicit TallySystem(const std::string& tallies, bool is_delta_tracking = false,
                       const std::string& system = tally_system,
                       const Extensions& extensions = Extensions::builtin()) {
    ConfigFile file = ConfigFile::parse(system + tallies, "test.toml");
    GeometryConfig geometry_config;
    TalliesConfig config;
    file.read([&](Section& top) {
      describe_materials(top, materials);
      describe_geometry(top, geometry_config, Extensions::builtin().surfaces);
      describe_tallies(top, config, extensions.scores, extensions.filters);
    });
    validate_geometry(geometry_config);
    validate_tallies(config);
    std::vector<std::string> names;
    for (const Material& m : materials.materials) names.push_back(m.name);
    geometry = build_geometry(geometry_config, names);
    plan = plan_tallies(config, geometry, materials, {.is_delta_tracking = is_delta_tracking});
  }
  TallySet set(const BatchPlan& batches = {}, Communicator communicator = Communicator::self(),
               int threads = 1) const {
    return {communicator, Executor::host(threads), plan, batches};
  }
};

/// Functions of the kernels, compiled once, since they are inlined wherever they are called.
/// score_track() scores a complete track for all tallies, and score_crossing() includes the
/// re-entry after a reflection or translation. Otherwise they are described in
/// kernels/transport/tallies/tallies.hpp.
namespace compiled_kernels {

void score_track(const TallyView& t, const TallySink& sink, const TallyState& s, double from,
                 double to);
void score_collision(const TallyView& t, const TallySink& sink, const TallyState& s, double path,
                     double cross_section);
void score_analog(const TallyView& t, const TallySink& sink, const TallyState& s, double path,
                  double absorbed, double scattered, double leaving);
void score_crossing(const TallyView& t, const TallySink& sink, const GeometryView& g,
                    const TallyState& s, double path, const Crossing& crossing,
                    const Coordinates& after);
/// The number of the tally with a fault, as the kernels recorded it.
std::int32_t faulty_tally(const TallySink& sink);
/// The sum of value number `value`, in units of the score.
double sum_at(const TallySink& sink, Index value);
/// The total of fixed-point sums, modulo 2^128.
struct FixedPointTotal {
  std::uint64_t low, high;
  friend bool operator==(const FixedPointTotal&, const FixedPointTotal&) = default;
};
/// The sum of `values` values from number `first`.
FixedPointTotal total(const TallySink& sink, Index first, Index values);

}  // namespace compiled_kernels

}  // namespace gsim::transport
