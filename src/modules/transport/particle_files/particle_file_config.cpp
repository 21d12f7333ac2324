#include "src/modules/transport/particle_files/particle_file_config.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gsim/config/output_keys.hpp"

namespace gsim::transport {
namespace {

void describe_table(Section& s, ParticleFileConfig& c) {
  static constexpr std::array<std::string_view, 3> sides{"both", "positive", "negative"};
  s.optional("surfaces", c.surfaces,
             {.doc = "names of the surfaces whose crossings are written where they separate "
                     "cells or bound the geometry; default: all surfaces with a vacuum boundary",
              .min_size = 1});
  s.optional("side", c.side, sides,
             {.doc = "side of the surface that particles enter: positive (out of spheres and "
                     "cylinders, to larger coordinates), negative, or both"});
  s.optional("end", c.ends, {.doc = "whether a particle ends when it is written"});
  s.optional("limit", c.limit,
             {.doc = "number of particles in the file above which no further batch is added; 0: "
                     "no limit",
              .minimum = 0});
  Index pdg = c.pdg;
  s.optional("pdg", pdg,
             {.doc = "particle code of the Particle Data Group (2112: neutrons, 22: photons)",
              .minimum = -2147483647,
              .maximum = 2147483647});
  optional_output(s, "file", c.file,
                  "name of the file; default: that of the results with .mcpl in place of .h5");
  c.pdg = static_cast<std::int32_t>(pdg);
  c.keys = s.locations();
}

}  // namespace

void validate_particle_file(const ParticleFileConfig& c) {
  if (!c.is_set) return;
  for (std::size_t i = 0; i < c.surfaces.size(); ++i)
    if (std::find(c.surfaces.begin(), c.surfaces.begin() + static_cast<std::ptrdiff_t>(i),
                  c.surfaces[i]) != c.surfaces.begin() + static_cast<std::ptrdiff_t>(i))
      c.keys.fail("surfaces", fmt::format("`{}` is given twice", c.surfaces[i]));
  if (c.pdg == 0) c.keys.fail("pdg", "0 is the code of no particle", "2112 is that of neutrons");
  if (c.file.ends_with(".gz"))
    c.keys.fail("file", "the file grows during the run and cannot be compressed", "leave out .gz");
}

std::string ParticleFileConfig::path(const std::string& output) const {
  return file.empty() ? output + ".mcpl" : file;
}

void describe_particle_file(Section& top, ParticleFileConfig& config) {
  config = {};
  config.is_set = top.optional_table(
      "particle_file", [&](Section& s) { describe_table(s, config); },
      "particles that cross surfaces, as an MCPL file (version 3, double precision) that a "
      "[[source]] can start from. Their energies are the middles of groups (geometric means of the "
      "bounds; half of the upper bound where the lower one is 0)");
}

}  // namespace gsim::transport
