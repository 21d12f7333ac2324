#include "src/modules/transport/particle_files/particle_file_config.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace gsim::transport {
namespace {

void describe_table(Section& s, ParticleFileConfig& c) {
  static constexpr std::array<std::string_view, 3> sides{"both", "positive", "negative"};
  s.optional("surfaces", c.surfaces,
             {.doc = "whose crossings are written, where they part cells or bound the geometry; "
                     "left out: all through which particles leave",
              .min_size = 1});
  s.optional("side", c.side, sides,
             {.doc = "which way they cross: to the surface's positive side (out of spheres and "
                     "cylinders, up along axes), to its negative one, or either"});
  s.optional("end", c.ends, {.doc = "whether a particle ends where it is written"});
  s.optional("limit", c.limit,
             {.doc = "once the file holds so many particles no batch is added to it; 0: none",
              .minimum = 0});
  Index pdg = c.pdg;
  s.optional("pdg", pdg,
             {.doc = "what the particles are (Particle Data Group; 2112: neutrons, 22: photons)",
              .minimum = -2147483647,
              .maximum = 2147483647});
  s.optional(
      "file", c.file,
      {.doc = "name of the file; by default that of the results with .mcpl in place of .h5"});
  if (s.describing()) return;
  c.pdg = static_cast<std::int32_t>(pdg);
  c.where = s.location();
  c.surfaces_at = s.location("surfaces");
  for (std::size_t i = 0; i < c.surfaces.size(); ++i)
    if (std::find(c.surfaces.begin(), c.surfaces.begin() + static_cast<std::ptrdiff_t>(i),
                  c.surfaces[i]) != c.surfaces.begin() + static_cast<std::ptrdiff_t>(i))
      s.fail("surfaces", fmt::format("`{}` stands here twice", c.surfaces[i]));
  if (c.pdg == 0) s.fail("pdg", "0 is the code of no particle", "2112 is that of neutrons");
  if (c.file.ends_with(".gz"))
    s.fail("file", "the file grows during the run, and is not packed", "leave out .gz");
}

}  // namespace

std::string ParticleFileConfig::path(const std::string& output) const {
  return file.empty() ? output + ".mcpl" : file;
}

void describe_particle_file(Section& top, ParticleFileConfig& config) {
  config = {};
  config.is_set = top.optional_table(
      "particle_file", [&](Section& s) { describe_table(s, config); },
      "particles that cross surfaces, as an MCPL file (version 3, double precision) that a "
      "[[source]] can start from. Their energies are the groups' middles (geometric means of the "
      "bounds; half the upper one where the lower is 0)");
}

}  // namespace gsim::transport
