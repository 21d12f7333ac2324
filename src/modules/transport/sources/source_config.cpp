#include "src/modules/transport/sources/source_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/without_plugin.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "src/modules/transport/sources/energy_config.hpp"
#include "src/modules/transport/sources/space_config.hpp"
#include "src/modules/transport/sources/time_config.hpp"

namespace gsim::transport {
namespace {

using transport_kernels::dot;

void describe_axis(Section& s, Source& source, const char* doc) {
  std::vector<double> axis;
  std::string normal;
  s.optional("axis", axis, {.doc = doc, .min_size = 3, .max_size = 3});
  s.optional("normal", normal,
             {.doc = "\"outward\" or \"inward\": about the normal of the surface that particles "
                     "start on, in place of axis"});
  if (s.describing()) return;
  const bool is_surface =
      source.space == SourceSpace::sphere_surface ||
      (source.space == SourceSpace::cylinder && source.length == 0) ||
      (source.space == SourceSpace::edges && dot(source.normal, source.normal) > 0);
  if (!normal.empty()) {
    if (!axis.empty()) s.fail("normal", "both axis and normal are given", "give one of them");
    if (normal != "outward" && normal != "inward")
      s.fail("normal", fmt::format("`{}` is neither outward nor inward", normal));
    if (!is_surface) s.fail("normal", "a volume has no normal", "give axis");
    source.about_normal = normal == "outward" ? 1 : -1;
    return;
  }
  if (axis.empty()) s.fail("axis", "neither axis nor normal is given", "give one of them");
  source.axis = unit_vector(s, "axis", axis);
}

void describe_angle(Section& s, Source& source) {
  const auto with_axis = [&source](const char* doc) {
    return [&source, doc](Section& a) { describe_axis(a, source, doc); };
  };
  const int kind = s.alternatives(
      "kind",
      {{"isotropic", "all directions alike", [](Section&) {}},
       {"beam", "one direction", with_axis("the direction")},
       {"cosine",
        "density in proportion to the cosine with the axis: an isotropic flux through a "
        "surface",
        with_axis("the axis")},
       {"cone", "isotropic within a cone",
        [&source](Section& a) {
          describe_axis(a, source, "the axis of the cone");
          double degrees = 90;
          a.required("half_angle", degrees,
                     {.doc = "between the axis and the cone's edge; 90: a half-space",
                      .unit = "degree",
                      .minimum = 0,
                      .maximum = 180,
                      .exclusive_minimum = true});
          source.smallest_cosine = gsim::sincospi<Strict>(degrees / 180).cos;
        }}},
      0, {.doc = "how directions are distributed"});
  if (!s.describing()) source.angle = static_cast<SourceAngle>(kind);
}

void describe_restrictions(Section& s, SourceConfig& c) {
  s.optional("cells", c.cells,
             {.doc = "start only in these cells; other positions are drawn again", .min_size = 1});
  s.optional("materials", c.materials, {.doc = "start only in these materials", .min_size = 1});
  s.optional("only_fissile", c.only_fissile, {.doc = "start only in materials that fission"});
}

void describe_file(Section& s, SourceConfig& c) {
  Index pdg = c.pdg;
  std::string file;
  s.optional("file", file,
             {.doc = "an MCPL file (.mcpl or .mcpl.gz) whose particles start one after the other, "
                     "in place of space, angle, energy and time"});
  s.optional("pdg", pdg,
             {.doc = "of a file: code of the particles that are taken (2112: neutrons)"});
  s.optional(
      "strength_of_file", c.strength_of_file,
      {.doc = "of a file that gsim's [particle_file] wrote: its weight by source particle of "
              "that run is the strength, whatever `strength` says, so that results are "
              "those of that run"});
  if (s.describing()) return;
  if (c.strength_of_file && file.empty())
    s.fail("strength_of_file", "the source has no file", "give its strength");
  c.pdg = static_cast<std::int32_t>(pdg);
  if (file.empty()) return;
  for (const char* key : {"space", "angle", "energy", "time", "cells", "materials"})
    if (s.has(key)) s.fail(key, fmt::format("{} beside a file", key), "remove one of them");
  c.file = s.input_path("file", file);
}

/// Sources that plugins bring.
void describe_sampler(Section& s, const MaterialSet& materials, SourceConfig& c,
                      std::span<const SourceKind* const> samplers) {
  if (samplers.empty()) return refuse_without_plugin(s, "sampler", "sources");
  const bool is_given = s.optional_table(
      "sampler",
      [&](Section& t) {
        std::vector<Section::Alternative> kinds;
        for (const SourceKind* kind : samplers) {
          kinds.push_back({std::string(kind->name), std::string(kind->doc), [&, kind](Section& k) {
                             c.numbers =
                                 kind->describe(k, static_cast<std::int32_t>(materials.groups));
                             c.sampler = kind;
                           }});
        }
        t.alternatives("kind", kinds, -1, {.doc = "a source of a plugin"});
      },
      "a source that a plugin brings, in place of space, angle, energy, time and file");
  if (s.describing()) c.sampler = nullptr;
  if (s.describing() || !is_given) return;
  if (!c.file.empty()) s.fail("file", "file beside a sampler", "remove one of them");
  for (const char* key : {"space", "angle", "energy", "time", "cells", "materials"})
    if (s.has(key)) s.fail(key, fmt::format("{} beside a sampler", key), "remove one of them");
}

void describe_one(Section& s, const MaterialSet& materials, SourceConfig& c,
                  std::vector<std::string>& notes, std::span<const SourceKind* const> samplers) {
  c = {};
  c.where = s.location(s.has("file") ? "file" : "space");
  s.optional("strength", c.strength,
             {.doc = "particles (or particles per second) that it sets free; sources are chosen in "
                     "this proportion. Tallies are for all strength together, leakage and what "
                     "else the report names for one particle of it",
              .minimum = 0,
              .exclusive_minimum = true});
  describe_file(s, c);
  describe_sampler(s, materials, c, samplers);
  const bool has_space = s.optional_table(
      "space", [&](Section& t) { describe_space(t, c.source); }, "where particles start");
  s.optional_table(
      "angle", [&](Section& t) { describe_angle(t, c.source); },
      "in which directions; left out: isotropic");
  const bool has_energy = s.optional_table(
      "energy", [&](Section& t) { describe_energy(t, materials, c, notes); },
      "in which groups; may be left out where there is one");
  s.optional_table(
      "time", [&](Section& t) { describe_time(t, c.source, c.time_table); },
      "when; left out: at time 0");
  describe_restrictions(s, c);
  if (s.describing() || !c.file.empty() || c.sampler != nullptr) return;
  if (!has_space) s.fail("space", "the source has neither space nor file", "say where it is");
  if (has_energy) return;
  if (materials.groups > 1)
    s.fail("energy", "the source has no energy",
           "say in which groups its particles start: energy = {kind = \"group\", group = 1}");
  c.groups = {1};
}

}  // namespace

double SourcesConfig::strength() const {
  double sum = 0;
  for (const SourceConfig& source : list) sum += source.strength;
  return sum;
}

void describe_sources(Section& top, const MaterialSet& materials, SourcesConfig& config,
                      std::span<const SourceKind* const> samplers) {
  config = {};
  top.tables<SourceConfig>(
      "source", config.list,
      [&](Section& s, SourceConfig& c) { describe_one(s, materials, c, config.notes, samplers); },
      "where particles start");
  if (top.describing()) return;
  const auto is_alone = [](const SourceConfig& c) {
    return !c.file.empty() || c.sampler != nullptr;
  };
  if (config.list.size() > 1 && std::any_of(config.list.begin(), config.list.end(), is_alone))
    top.fail("source", "a file of particles, or a sampler, beside another source",
             "a file must be the only source, and so must a sampler");
}

}  // namespace gsim::transport
